"""The MCP servers that an agent names: which of them the target does not know, and how to define them there."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.json_edit import add_member
from fsagent_lint.converter.mcp_config import translate_server
from fsagent_lint.errors import UserError
from fsagent_lint.files.globs import Glob
from fsagent_lint.files.jsonc import JsonError, mapping, parse_json
from fsagent_lint.files.read import exists
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.mcp import server_name
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import LossKind, ReportedLoss
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import Tool
from fsagent_lint.project.neighbours import ProjectNeighbours


def named_servers(subject: Subject, policy: Policy, lost: Collection[Tool] = ()) -> tuple[str, ...]:
    """The servers that an agent names and does not define itself; `lost`: tools that it does without."""
    rules = [rule for rule in policy.rules if rule.action is not Action.DENY and rule.tool not in lost]
    tools = [rule.tool.server for rule in rules if rule.tool is not None]
    fields = [name for name, field in subject.kind.fields.items() if field.meaning == "mcp-servers"]
    values = [(subject.effect.data or {}).get(name) for name in fields]
    listed = [item for value in values if isinstance(value, list) for item in value]
    own = {name for value in (*values, *listed) if isinstance(value, dict) for name in value}
    names = [name for name in (*tools, *listed) if isinstance(name, str) and "*" not in name and name not in own]
    return tuple(dict.fromkeys(names))


class Definition(NamedTuple):
    """A server that a config file defines."""

    name: str
    file: str
    """Relative to the project."""
    harness: Harness
    """The harness whose file it is."""
    value: dict[str, Any]


def find_definition(
    name: str, harness: Harness, neighbours: ProjectNeighbours, *, only: bool = False
) -> Definition | None:
    """The definition of a server by the name that a harness has for it; `only`: for this harness, and no other."""
    others = () if only else (each for each in all_harnesses() if each is not harness)
    for owner in (harness, *others):
        config = owner.mcp_config
        if config is None:
            continue
        for known, file in neighbours.servers(owner).items():
            if name in (known, server_name(known, harness)):
                data = neighbours.files.json(f"{neighbours.root}/{file}", neighbours.root)
                value = (mapping(data, config.key) or mapping(data)).get(known)
                if isinstance(value, dict):
                    return Definition(known, file, owner, value)
    return None


def is_known(name: str, target: Harness, neighbours: ProjectNeighbours, configured: Iterable[str] = ()) -> bool:
    """Does the target have the server: by itself, from an extension or account, or from a file of the project?"""
    known = [*neighbours.servers(target), *target.mcp.builtin, *configured]
    spellings = {target.fold(each) for server in known for each in (server, server_name(server, target))}
    names = {target.fold(name), target.fold(server_name(name, target))}
    return not names.isdisjoint(spellings) or any(Glob(glob).name(name) for glob in target.mcp.outside)


def config_file(target: Harness, folder: str) -> str:
    """The file of a project that a server is added to: the first that exists, else the usual one; empty if unknown."""
    files = target.mcp_config.files if target.mcp_config is not None else ()
    return next((file for file in files if exists(os.path.join(folder, file))), files[0] if files else "")


def report_missing(name: str, definition: Definition | None, target: Harness, file: str) -> ReportedLoss:
    """A server that the target does not know, and where to define it."""
    if definition is None:
        where = f"{target.title} looks for it in {file}" if file else f"define it for {target.title}"
        message = f"No file of the project defines the MCP server `{name}`; {where}."
        return ReportedLoss(LossKind.SERVER, message, Consequence.STYLE)
    where = (
        f"{target.title} looks in {file}: `convert --with-mcp` adds it there"
        if file
        else f"define it for {target.title}, too"
    )
    message = f"The MCP server `{name}` is defined in {definition.file} for {definition.harness.title}; {where}."
    return ReportedLoss(LossKind.SERVER, message, Consequence.NARROWED)


def compare(definition: Definition, theirs: Definition) -> Iterator[ReportedLoss]:
    """Report a server that the target defines in another way."""
    target = theirs.harness
    if definition.file == theirs.file:
        return
    try:
        wanted = translate_server(definition.value, definition.harness, target)
        if theirs.value == wanted or translate_server(theirs.value, target, target) == wanted:
            return
    except UserError:
        pass  # what cannot be translated is not the same
    message = f"{theirs.file} defines the MCP server `{theirs.name}` differently from {definition.file}; not changed."
    yield ReportedLoss(LossKind.SERVER, message, Consequence.NARROWED)


class Addition(NamedTuple):
    """A config file with servers added to it, and what could not be added."""

    data: bytes
    added: tuple[Definition, ...]
    losses: tuple[ReportedLoss, ...]


def add_servers(before: bytes, definitions: Iterable[Definition], target: Harness, file: str) -> Addition:
    """Add servers that the target's file does not define yet."""
    data = before
    added: list[Definition] = []
    losses: list[ReportedLoss] = []
    for each in definitions:
        try:
            data = _add(data, each, target)
        except UserError as error:
            message = f"The MCP server `{each.name}` of {each.file} {error}; define it in {file} by hand."
            losses.append(ReportedLoss(LossKind.SERVER, message, Consequence.NARROWED))
        except JsonError as error:
            message = f"The MCP server `{each.name}` was not added: {file} {error}."
            losses.append(ReportedLoss(LossKind.SERVER, message, Consequence.NARROWED))
        else:
            added.append(each)
    return Addition(data, tuple(added), tuple(losses))


def _add(data: bytes, definition: Definition, target: Harness) -> bytes:
    config = target.mcp_config
    assert config is not None
    value = translate_server(definition.value, definition.harness, target)
    content = mapping(parse_json(data)) if data else {}
    is_bare = config.is_bare and bool(content) and config.key not in content
    return add_member(data, (definition.name,) if is_bare else (config.key, definition.name), value)
