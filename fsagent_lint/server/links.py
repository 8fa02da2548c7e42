"""Where the agents, skills, MCP servers and copies that a file names are defined."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.copy_marker import COPY_MARK, find_marker
from fsagent_lint.agent.subject import Subject
from fsagent_lint.files.jsonc import MAX_SIZE
from fsagent_lint.files.paths import absolute
from fsagent_lint.frontmatter.json_nodes import read_json
from fsagent_lint.frontmatter.nodes import List, Map, Node, ParseError, Scalar, Span
from fsagent_lint.project.neighbours import ProjectNeighbours
from fsagent_lint.server.buffers import uri_of
from fsagent_lint.server.positions import Positions
from fsagent_lint.server.workspace import View

_TOP = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


class _Link(NamedTuple):
    span: Span
    path: str
    """Absolute."""
    name: str = ""
    """The key of a JSON file that defines it."""


def definitions(view: View, offset: int) -> list[lsp.Location]:
    found = [link for link in _links(view) if link.span.start <= offset <= link.span.end]
    return [lsp.Location(uri_of(link.path), _place(view, link)) for link in found]


def document_links(view: View) -> list[lsp.DocumentLink]:
    return [lsp.DocumentLink(view.buffer.positions.range(link.span), uri_of(link.path)) for link in _links(view)]


def _links(view: View) -> Iterator[_Link]:
    yield from _source(view)
    for part in view.subject.parts:
        neighbours = part.neighbours
        if isinstance(neighbours, ProjectNeighbours):
            yield from _named(part, neighbours)
            yield from _servers(part, neighbours)
        yield from _same_agent(view, part)


def _source(view: View) -> Iterator[_Link]:
    """The source of a generated copy."""
    text = view.subject.document.source.text
    marker = find_marker(view.buffer.data) if COPY_MARK in text else None
    if marker is not None:
        start = text.find(marker.source, text.find(COPY_MARK))
        folder = absolute(view.workspace.run.settings.folder or ".")
        yield _Link(Span(start, start + len(marker.source)), absolute(f"{folder}/{marker.source}"))


def _named(part: Subject, neighbours: ProjectNeighbours) -> Iterator[_Link]:
    """Other agents, and skills."""
    harnesses = (part.harness, *part.shared_harnesses)
    for fields, known in ((part.kind.agent_fields, neighbours.agents), (part.kind.skill_fields, neighbours.skills)):
        entries = [entry for name in fields if (entry := part.document.get(name)) is not None]
        for scalar in (scalar for entry in entries for scalar in _scalars(entry.value)):
            file = next((file for each in harnesses if (file := known(each).get(scalar.value))), None)
            if file is not None:
                yield _Link(scalar.span, f"{neighbours.root}/{file}")


def _servers(part: Subject, neighbours: ProjectNeighbours) -> Iterator[_Link]:
    harnesses = (part.harness, *part.shared_harnesses)
    for entry in part.items:
        for server in {tool.server for tool in entry.meaning.tools if tool.server is not None}:
            file = next((file for each in harnesses if (file := neighbours.servers(each).get(server))), None)
            if file is not None:
                yield _Link(entry.item.span, f"{neighbours.root}/{file}", server)


def _same_agent(view: View, part: Subject) -> Iterator[_Link]:
    """The files of other harnesses for the same agent, its copies among them."""
    name = part.document.get("name")
    span = name.value.span if name is not None else part.document.opening_fence
    for own in view.workspace.profiles.of(view.workspace.absolute(view.target.path)):
        if own.span == span:
            for other in view.workspace.profiles.related(frozenset((own.key,))):
                if other.home == own.home != "" and other.path != own.path:
                    yield _Link(span, view.workspace.absolute(other.path))


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, List):
        for item in node.items:
            yield from _scalars(item)
    else:
        for entry in node.entries:
            yield from _scalars(entry.value)


def _place(view: View, link: _Link) -> lsp.Range:
    """Where in its file something is defined: the key of a server, else the top."""
    buffer = view.workspace.open.get(link.path)
    data = buffer.data if buffer is not None else None
    if link.name and data is None:
        data = view.workspace.checker.subjects.discoverer.files.read(link.path, view.workspace.folder)
    if not link.name or data is None or len(data) > MAX_SIZE:
        return _TOP
    text = data.decode("utf-8", "replace")
    try:
        root = read_json(text).root
    except ParseError:
        return _TOP
    span = _key(root, link.name)
    return Positions(text, view.buffer.encoding).range(span) if span is not None else _TOP


def _key(node: Node | None, name: str) -> Span | None:
    """The shallowest key of this name."""
    level = [node]
    while level:
        maps = [each for each in level if isinstance(each, Map)]
        for entry in (entry for each in maps for entry in each.entries):
            if entry.name == name:
                return entry.key.span
        level = [entry.value for each in maps for entry in each.entries]
    return None
