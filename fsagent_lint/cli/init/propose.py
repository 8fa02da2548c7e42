"""Propose a config for a repository: its agents, a source folder and its copies, and its MCP servers."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.convert import identity
from fsagent_lint.files.border import UnreadableError, find_root
from fsagent_lint.files.globs import SPECIAL, Glob
from fsagent_lint.files.paths import absolute
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.project.config import load_settings
from fsagent_lint.project.find import find
from fsagent_lint.project.list_files import Listing
from fsagent_lint.project.neighbours import mcp_servers
from fsagent_lint.project.places import is_guide
from fsagent_lint.project.session import load_harnesses
from fsagent_lint.project.target import Target, read_target
from fsagent_lint.report.escape import escape


class Collection(NamedTuple):
    """Files of one kind in a folder where no harness looks."""

    glob: str
    harness: str
    kind: str


class Proposal(NamedTuple):
    files: Counter[tuple[str, str]]
    """Harness and kind to the number of files."""
    servers: tuple[str, ...] = ()
    collections: tuple[Collection, ...] = ()
    source: str = ""
    """The folder that the others could be copies of; empty if there is none."""
    targets: tuple[str, ...] = ()


def propose() -> Proposal:
    """A config for the current folder."""
    harnesses, settings = load_harnesses(), load_settings(None)
    here = absolute(".")
    markdown = sorted(Listing(False, None).files(here, find_root(here), []))
    visible = {path.partition("/")[0] for path in markdown if "/" in path and not path.startswith(".")}
    found = {target.path: target for target in find((), settings, harnesses).targets if target.harness}
    if visible:
        found.update((target.path, target) for target in find(sorted(visible), settings, harnesses).targets)
    targets = [found[path] for path in sorted(found)]
    collections = _collections([target for target in targets if target.assumed], markdown)
    known = [target for target in targets if not target.assumed or any(_is_in(target, each) for each in collections)]
    source, copies = _sync(known)
    servers = tuple(name for name in mcp_servers(".") if _is_plain(name))
    return Proposal(
        Counter((target.harness, target.kind) for target in known), servers, tuple(collections), source, copies
    )


def _is_in(target: Target, collection: Collection) -> bool:
    return target.kind == collection.kind and Glob(collection.glob).matches(target.path)


def _sync(targets: Iterable[Target]) -> tuple[str, tuple[str, ...]]:
    """The folder with most agents, and the harnesses that have agents of the same names; empty if there are none."""
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for target in targets:
        home = _agent_folder(target)
        if home and (name := _name(target)):
            names[target.harness, home].add(name)
    if not names:
        return "", ()
    owner, folder = max(names, key=lambda key: len(names[key]))
    own = names[owner, folder]
    copies = {harness for (harness, _), others in names.items() if harness != owner and own & others}
    return (folder, tuple(sorted(copies))) if copies else ("", ())


def _agent_folder(target: Target) -> str:
    """The folder of the agent, if it is a top-level folder where its harness looks for agents; otherwise empty."""
    kind = get_harness(target.harness).kinds[target.kind]
    for glob in kind.globs if target.kind == "agent" else ():
        folders = glob.split("/")[:-1]
        literal = next((at for at, folder in enumerate(folders) if not SPECIAL.isdisjoint(folder)), len(folders))
        home = "/".join(folders[:literal])
        if home and target.path.startswith(f"{home}/"):
            return home
    return ""


def _name(target: Target) -> str:
    try:
        document = Document(Source(target.path, read_target(target)))
    except UnreadableError:
        return ""
    return identity(Subject(document, get_harness(target.harness), target.kind))


def _collections(assumed: Sequence[Target], markdown: Sequence[str]) -> list[Collection]:
    """Folders in which most markdown files look like agents; several under one folder are one collection."""
    groups: dict[tuple[str, str], dict[str, list[Target]]] = defaultdict(lambda: defaultdict(list))
    for target in assumed:
        folder = os.path.dirname(target.path)
        if _is_plain(target.path) and SPECIAL.isdisjoint(target.path):
            groups[folder.partition("/")[0], target.kind][folder].append(target)
    found: list[Collection] = []
    for (_, kind), folders in sorted(groups.items()):
        full = [members for folder, members in folders.items() if _is_majority(members, f"{folder}/*.md", markdown)]
        whole = [target for members in full for target in members]
        if not whole:
            continue
        common = os.path.commonpath([os.path.dirname(target.path) for target in whole]).replace(os.sep, "/")
        glob = f"{common}/**/{_name_pattern(whole)}"
        if len(full) > 1 and _is_majority(whole, glob, markdown):
            found.append(Collection(glob, _usual_harness(whole), kind))
        else:
            separate = [
                (f"{os.path.dirname(each[0].path)}/{_name_pattern(each)}", each) for each in full if len(each) > 1
            ]
            found += [Collection(glob, _usual_harness(members), kind) for glob, members in separate]
    return found


def _is_majority(members: Sequence[Target], glob: str, markdown: Sequence[str]) -> bool:
    pattern = Glob(glob)
    return 2 * len(members) > sum(pattern.matches(path) and not is_guide(path) for path in markdown)


def _name_pattern(members: Sequence[Target]) -> str:
    """`SKILL.md` if all files have that name, `*.agent.md` if all end like that, otherwise any markdown."""
    names = {os.path.basename(target.path) for target in members}
    endings = {name[name.find(".") :] for name in names}
    return names.pop() if len(names) == 1 and len(members) > 1 else f"*{endings.pop() if len(endings) == 1 else '.md'}"


def _usual_harness(members: Sequence[Target]) -> str:
    return Counter(target.harness for target in members).most_common(1)[0][0]


def _is_plain(text: str) -> bool:
    """Is the text harmless to show and to write? A config that people read must hold nothing else."""
    return bool(text) and escape(text) == text
