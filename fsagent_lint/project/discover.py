"""What a repository defines besides one agent: MCP servers, custom tools, other agents. Read as data, never run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from fsagent_lint._fast import pattern
from fsagent_lint.files.border import Border, MissingError, UnreadableError
from fsagent_lint.files.jsonc import MAX_SIZE, JsonError, mapping, parse_json
from fsagent_lint.files.paths import absolute, relative, to_posix
from fsagent_lint.files.read import exists, list_folder, read_file
from fsagent_lint.files.recent import Recent
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Discovery, Harness
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.project.places import Places
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.target import Target

# The key starts a line, with no letter before it.
_NAME_KEY = pattern(rb"[\r\n][^A-Za-z\r\n]*name")
_FIRST_NAME = pattern(rb"---\nname: ([A-Za-z][\w-]*)(?=\n(?:[\w-]+:|---))")


class ProjectFiles:
    """Lists and reads on demand, and remembers for a while what it found; texts are not kept."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}
        """Files that exist but could not be used, and why."""
        self._names: Recent[str, str | None] = Recent()
        self._json: Recent[str, Any] = Recent()
        self._plugins: Recent[str, dict[str, str]] = Recent()
        self.border = Border()
        self.targets: Sequence[Target] = ()
        """The files of this run."""
        self._found: Recent[tuple[str, str], list[tuple[Discovery, str]]] = Recent()

    @cached_property
    def _here(self) -> str:
        return absolute(".")

    @cached_property
    def _outside(self) -> list[Target]:
        """The files of this run that lie where no harness looks, with absolute paths."""
        places = Places(Settings(), all_harnesses())
        found = [target._replace(path=absolute(target.path)) for target in self.targets]
        return [target for target in found if places.find(target.path) is None]

    @cached_property
    def agent_folders(self) -> dict[str, list[str]]:
        """Harness to the folders outside of its own in which this run has agents."""
        folders: dict[str, dict[str, None]] = {}
        for target in self._outside:
            if target.kind == "agent":
                folders.setdefault(target.harness, {})[target.path.rpartition("/")[0]] = None
        return {harness: list(found) for harness, found in folders.items()}

    @cached_property
    def skills(self) -> list[str]:
        """The skills of this run that lie where no harness looks."""
        return [target.path for target in self._outside if target.kind == "skill"]

    def root(self, folder: str) -> str:
        """The root of a project: its repository; else the current folder; else the parent of its hidden folder."""
        if (root := self.border.root(folder)) is not None:
            return root
        if relative(folder, self._here) is not None:
            return self._here
        parts = folder.split("/")
        hidden = [at for at, part in enumerate(parts) if part.startswith(".")]
        return "/".join(parts[: hidden[-1]]) or "/" if hidden else folder

    def files(self, folder: str, harness: Harness, root: str) -> list[tuple[Discovery, str]]:
        """The files that a table lists and that exist in a folder."""
        key = folder, harness.id
        if key not in self._found:
            self._found[key] = list(self._look(folder, harness, root))
        return self._found[key]

    def _look(self, folder: str, harness: Harness, root: str) -> Iterator[tuple[Discovery, str]]:
        for entry in harness.discovers:
            place, _, name = f"{folder}/{entry.file}".rpartition("/")
            if "*" in name:
                start, _, end = name.partition("*")
                names = list_folder(place, self.border, root)
                yield from (
                    (entry, f"{place}/{each}") for each in names if each.startswith(start) and each.endswith(end)
                )
            elif exists(f"{place}/{name}"):
                yield entry, f"{place}/{name}"

    def read(self, path: str, root: str) -> bytes | None:
        """The bytes of a file of the project; None if it is missing, lies outside or cannot be read."""
        try:
            return read_file(path, self.border, root, limit=MAX_SIZE)
        except MissingError:
            return None
        except UnreadableError as error:
            self.notes[f"{path}: {error}; ignored"] = None
            return None

    def name(self, path: str, root: str) -> str | None:
        """The `name` of a markdown file, empty without one; None if the file cannot be read. Its text is not kept."""
        if path not in self._names:
            data = self.read(path, root)
            self._names[path] = None if data is None else own_name(path, data) or ""
        return self._names[path]

    def json(self, path: str, root: str) -> Any:
        """The value of a JSON or TOML file; None if there is no file, a JsonError (returned, not raised) if it is broken."""
        if path not in self._json:
            data = self.read(path, root)
            try:
                self._json[path] = _parse(path, data) if data else None
            except JsonError as error:
                self.notes[f"{path}: {error}; ignored"] = None
                self._json[path] = error
        return self._json[path]

    def plugins(self, path: str, home: str, listed: str, root: str) -> dict[str, str]:
        """The folder of the plugin that a manifest describes, with its name; or of all that it lists under a key."""
        if path not in self._plugins:
            data = mapping(self.json(path, root))
            found = {home: str(data.get("name", ""))}
            if listed:
                each = data.get(listed)
                plugins = [plugin for plugin in each if isinstance(plugin, dict)] if isinstance(each, list) else []
                sources = ((plugin.get("source"), str(plugin.get("name", ""))) for plugin in plugins)
                local = ((source, name) for source, name in sources if isinstance(source, str) and source[:2] == "./")
                found = {to_posix(os.path.normpath(f"{home}/{source}")): name for source, name in local}
            self._plugins[path] = found
        return self._plugins[path]


def _parse(path: str, data: bytes) -> Any:
    if not path.endswith(".toml"):
        return parse_json(data)
    import tomllib

    from fsagent_lint.frontmatter.nodes import ParseError
    from fsagent_lint.frontmatter.toml_nodes import read_toml

    try:
        text = data.decode("utf-8")
        read_toml(text)  # which refuses what `tomllib` would take too long for
        return tomllib.loads(text)
    except (ParseError, ValueError) as error:
        raise JsonError(str(error)) from None


def own_name(path: str, data: bytes) -> str | None:
    """The `name` of a markdown file, read only as far as needed: most begin with it, or have none."""
    if data.startswith(b"```"):  # a code fence hides the frontmatter, not the intended name
        data = data.partition(b"\n")[2]
    end = data.find(b"\n---", 3)
    first = _FIRST_NAME.match(data)
    if end > 0 and _NAME_KEY.search(data, first.end() if first else 0, end) is None:
        return first[1].decode() if first else None
    return Document(Source(path, data)).text_of("name")
