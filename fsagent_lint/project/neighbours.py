"""The neighbours of an agent: other files of the project that bear on it, seen from its folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property

from fsagent_lint.effect.readers import READERS
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Plugin, Surroundings
from fsagent_lint.files.globs import SPECIAL
from fsagent_lint.files.jsonc import mapping
from fsagent_lint.files.paths import absolute, relative, to_posix
from fsagent_lint.files.read import exists
from fsagent_lint.files.recent import Recent
from fsagent_lint.files.walk import markdown_below
from fsagent_lint.frontmatter.document import Document, stem
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Discovery, Harness
from fsagent_lint.harnesses.kind import MARKDOWN, Kind
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.project.discover import ProjectFiles
from fsagent_lint.project.places import PLUGIN
from fsagent_lint.project.target import Target

MAX_AGENTS = 2000
_SKILL = "SKILL.md"
_AGENT_KINDS = ("agent", "chatmode", "mode")

Definitions = dict[str, str]
"""Names to the file that defines each, relative to the project."""


class ProjectNeighbours:
    """What the files of a project define, seen from the folder of one of them."""

    def __init__(self, files: ProjectFiles, path: str) -> None:
        self.files, self._path = files, path
        self._names: dict[tuple[str, str], Definitions] = {}
        self._found: dict[str, list[tuple[Discovery, str]]] = {}
        self._plugins: dict[str, Plugin | None] = {}

    @cached_property
    def _folder(self) -> str:
        return os.path.dirname(absolute(self._path))

    @cached_property
    def root(self) -> str:
        return self.files.root(self._folder)

    @cached_property
    def folders(self) -> tuple[str, ...]:
        return _folders(self._folder, self.root)

    def servers(self, harness: Harness) -> Definitions:
        """The MCP servers that the harness finds in the project."""
        return self._cached("servers", harness)

    def custom_tools(self, harness: Harness) -> Definitions:
        """The tools that the project adds."""
        return self._cached("custom", harness)

    def agents(self, harness: Harness) -> Definitions:
        """The agents that the harness finds in the project."""
        return self._cached("agents", harness)

    def skills(self, harness: Harness) -> Definitions:
        """The skills that the harness finds in the project."""
        return self._cached("skills", harness)

    def private_skill(self, harness: Harness, name: str) -> str:
        """The field that keeps agents from invoking a skill of the project; empty without one."""
        kind, shown = harness.kinds.get("skill"), self.skills(harness).get(name)
        data = self.files.read(f"{self.root}/{shown}", self.root) if kind is not None and shown is not None else None
        if kind is None or data is None:
            return ""
        values = READERS[harness.reader](Document(Source(shown or "", data))).data
        private = ((key, field.private) for key, field in kind.fields.items() if field.private is not None)
        return next((key for key, value in private if values.get(key) is value), "")

    def is_in_skill(self) -> bool:
        """Does the folder lie in that of a skill?"""
        return any(exists(f"{folder}/{_SKILL}") for folder in self.folders[:-1])

    def plugin(self, harness: Harness) -> Plugin | None:
        """The plugin whose agents, skills or commands are in the folder."""
        if harness.id not in self._plugins:
            found = sorted(self._plugin_folders(harness), key=lambda each: len(each[1]))
            self._plugins[harness.id] = self._read_plugin(harness, *found[-1]) if found else None
        return self._plugins[harness.id]

    def surroundings(self, harness: Harness, name: str) -> Surroundings:
        """Everything besides its own file that affects an agent of this name."""
        if not self._files(harness):
            return NO_SURROUNDINGS
        from fsagent_lint.project.config_readers import CONFIG_READERS

        custom = tuple(each for each in self.custom_tools(harness) if each not in harness.tools)
        found = Surroundings(custom) if custom else NO_SURROUNDINGS
        for entry, path in self._files(harness):
            if entry.what in CONFIG_READERS and (data := self.files.json(path, self.root)) is not None:
                found = CONFIG_READERS[entry.what](found, data, name, self._shown(path))
        return found

    def _cached(self, what: str, harness: Harness) -> Definitions:
        key = what, harness.id
        if key not in self._names:
            find = {
                "servers": self._servers, "custom": self._custom, "agents": self._agents, "skills": self._skills
            }[what]  # fmt: skip
            names: Definitions = {}
            for name, file in find(harness):
                names.setdefault(name, file)
            self._names[key] = names
        return self._names[key]

    def _files(self, harness: Harness) -> list[tuple[Discovery, str]]:
        """The files that the table lists and that exist, those in the root of the project first."""
        if harness.id not in self._found:
            self._found[harness.id] = [
                found for folder in self.folders for found in self.files.files(folder, harness, self.root)
            ]
        return self._found[harness.id]

    def _shown(self, path: str) -> str:
        return relative(path, self.root) or path

    def _servers(self, harness: Harness) -> Iterator[tuple[str, str]]:
        for entry, path in self._files(harness):
            if entry.what == "servers":
                data = self.files.json(path, self.root)
                found = mapping(data, entry.key)
                if entry.bare and not found and entry.key not in mapping(data):
                    found = {name: value for name, value in mapping(data).items() if isinstance(value, dict)}
                yield from ((name, self._shown(path)) for name in found)
            elif entry.what == "plugin-servers":
                yield from self._plugin_servers(entry, path)

    def _plugin_servers(self, entry: Discovery, path: str) -> Iterator[tuple[str, str]]:
        """The name of a plugin's server contains that of the plugin; its authors also write it without."""
        data = self.files.json(path, self.root)
        value = mapping(data).get(entry.key)
        home = path[: -len(entry.file) - 1]
        files = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        found = dict.fromkeys(mapping(value), path)
        for file in [".mcp.json", *(each for each in files if isinstance(each, str))]:
            own = os.path.normpath(f"{home}/{file}").replace(os.sep, "/")
            if relative(own, self.root) is not None:
                other = self.files.json(own, self.root)
                found.update(dict.fromkeys(mapping(other, entry.key) or mapping(other), own))
        for name, origin in found.items():
            yield name, self._shown(origin)
            yield f"plugin_{mapping(data).get('name', '')}_{name}", self._shown(origin)

    def _custom(self, harness: Harness) -> Iterator[tuple[str, str]]:
        from fsagent_lint.project.js_exports import exported_tools

        for entry, path in self._files(harness):
            if entry.what == "custom-tools" and (data := self.files.read(path, self.root)) is not None:
                file = path.rpartition("/")[2].rpartition(".")[0]
                for name in exported_tools(data.decode("utf-8", "replace"), file):
                    yield name, self._shown(path)

    def _agents(self, harness: Harness) -> Iterator[tuple[str, str]]:
        for owner in all_harnesses():
            kinds = {name: owner.kinds[name] for name in _AGENT_KINDS if name in owner.kinds}
            read = {
                name: kind for name, kind in kinds.items() if harness.id in (owner.id, *kind.shared_with, *kind.read_by)
            }
            for kind in read.values():
                yield from self._in_places(kind)
            # Files of the run that lie elsewhere, and those beside them: a hook names only some of them.
            for folder in self.files.agent_folders.get(owner.id, ()) if "agent" in read else ():
                if relative(folder, self.root) is not None:
                    yield from self._named(folder, "*.md", by_name=read["agent"].identity == "name")
        for entry, path in self._files(harness):
            if entry.what == "agents":
                yield from ((name, self._shown(path)) for name in mapping(self.files.json(path, self.root), entry.key))

    def _in_places(self, kind: Kind) -> Iterator[tuple[str, str]]:
        for folder in self.folders:
            for glob in kind.globs:
                if not glob.startswith(PLUGIN) and glob.endswith(MARKDOWN):
                    yield from self._named(folder, glob, by_name=kind.identity == "name")

    def _skills(self, harness: Harness) -> Iterator[tuple[str, str]]:
        """By the folder's name, and by the name in the file if that differs."""
        for entry, home in self._files(harness):
            for path in self._markdown(home, deep=True) if entry.what == "skills" else ():
                if path.endswith("/SKILL.md") and (own := self.files.name(path, self.root)) is not None:
                    yield path.split("/")[-2], self._shown(path)
                    if own:
                        yield own, self._shown(path)
        for path in self.files.skills:
            if relative(path, self.root) is not None and (own := self.files.name(path, self.root)) is not None:
                yield from ((name, self._shown(path)) for name in (path.split("/")[-2], own) if name)

    def _plugin_folders(self, harness: Harness) -> Iterator[tuple[str, str]]:
        """Names and folders of plugins that have this folder where a plugin keeps its files."""
        globs = [glob.removeprefix(PLUGIN) for kind in harness.kinds.values() for glob in kind.globs if PLUGIN in glob]
        places = {glob.partition("/")[0] for glob in globs}
        for entry, path in self._files(harness):
            if entry.what in ("plugin-servers", "plugins"):
                home = path[: -len(entry.file) - 1]
                listed = entry.key if entry.what == "plugins" else ""
                found = self.files.plugins(path, home, listed, self.root)
                for folder in self.folders:
                    inside = relative(self._folder, folder) if folder in found else None
                    if inside is not None and inside.partition("/")[0] in places:
                        yield found[folder], folder

    def _read_plugin(self, harness: Harness, name: str, folder: str) -> Plugin:
        globs = [glob for glob in harness.kinds["agent"].globs if glob.startswith(PLUGIN)]
        agents = (self._named(folder, glob.removeprefix(PLUGIN), by_name=True) for glob in globs)
        return Plugin(name, folder, frozenset(agent for found in agents for agent, _ in found))

    def _named(self, folder: str, glob: str, *, by_name: bool) -> Iterator[tuple[str, str]]:
        """The names of the agent files that a glob matches; if `name` decides, the file name is only the fallback."""
        parts = glob.split("/")
        depth = next((at for at, part in enumerate(parts) if not SPECIAL.isdisjoint(part)), len(parts) - 1)
        home = "/".join([folder, *parts[:depth]])
        for path in self._markdown(home, deep="**" in parts):
            own = self.files.name(path, self.root)
            if own is not None:
                inner = path[len(home) + 1 :].removesuffix(".md")
                for name in (own or inner,) if by_name else (stem(path), own):
                    if name:
                        yield name, self._shown(path)

    def _markdown(self, home: str, *, deep: bool) -> Iterator[str]:
        return markdown_below(home, self.files.border, self.root, deep=deep, limit=MAX_AGENTS)


class Discoverer:
    """Finds the neighbours of each file; no folder is read twice in a run."""

    def __init__(self) -> None:
        self.files = ProjectFiles()
        self._by_folder: Recent[str, ProjectNeighbours] = Recent(100)

    def add_found(self, targets: Sequence[Target]) -> None:
        """The files of the run: those where no harness looks count as agents and skills of the project, too."""
        self.files.targets = targets

    @property
    def notes(self) -> list[str]:
        return list(self.files.notes)

    def neighbours(self, path: str) -> ProjectNeighbours:
        folder = to_posix(path).rpartition("/")[0]
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = ProjectNeighbours(self.files, path)
        return found


def mcp_servers(folder: str) -> list[str]:
    """The names of the servers that the config files of a folder define, for any harness."""
    return list(Discoverer().neighbours(f"{folder}/x").servers(get_harness("canonical")))


def _folders(folder: str, root: str) -> tuple[str, ...]:
    """The folders from the root of the project down to this one."""
    inside = relative(folder, root) or ""
    parts = inside.split("/") if inside else []
    return tuple("/".join([root.rstrip("/"), *parts[:count]]) for count in range(len(parts) + 1))
