"""What fsagent-lint predicts that a harness does with a probe, to compare with the recording."""

from __future__ import annotations

import ast
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from conformance.adapter import MCP_SERVER, Adapter
from conformance.observe import write_files
from conformance.probe import Observation, Probe
from fsagent_lint.agent.data.subject import DataSubject, read_data
from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import NO_CONTEXT, Context, Subject
from fsagent_lint.agent.verdicts import ClassifiedItem, Verdict
from fsagent_lint.effect.delegation import delegated
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Surroundings
from fsagent_lint.files.globs import Glob
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import core, evaluate
from fsagent_lint.harnesses.gates import matches_wildcard
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.mcp import names_mcp, native_mcp
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.versions import reference
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import Tool
from fsagent_lint.project.neighbours import Discoverer
from fsagent_lint.project.subjects import Subjects

McpTool = tuple[str, str]
"""The server and the tool."""


class Outcome(NamedTuple):
    """The values that are compared; None if there is nothing to compare."""

    loads: bool
    started: bool
    tools: frozenset[str] | None
    ran: bool | None


class Prediction(NamedTuple):
    """The effects of a file: when a person starts it, and as the probe has it started."""

    direct: Effect
    found: Effect


def predict(adapter: Adapter, probe: Probe, version: str) -> Prediction:
    """The effect of a probe's file, with its neighbours."""
    harness = get_harness(reference(adapter.id, version))
    for path, text in probe.files.items():
        config = _data_subject(path, text, harness)
        if config is not None and config.refused is not None and not config.layout.alone:
            refused = Effect(False, f"{path}: {config.refused[1]}")
            return Prediction(refused, refused)
    path = adapter.path(probe)
    if probe.path and not _is_looked_for(path, harness):
        nowhere = Effect(False, "it does not look there")
        return Prediction(nowhere, nowhere)
    if _data_subject(path, probe.text, harness) is not None:
        found = _effect_in_data(probe, path, harness)
        return Prediction(found, found)
    kind = harness.kinds[probe.kind]
    own = tuple(_own_servers(_document(adapter, probe), probe, harness))
    has_surroundings = probe.files or probe.servers or own
    surroundings = _surroundings(adapter, probe, harness, own) if has_surroundings else NO_SURROUNDINGS
    owner = _owner(path, harness)
    direct = effect(_document(adapter, probe), harness, kind, owner, surroundings)
    named = probe.kind == "agent" or kind.identity == "name"
    if named:
        direct = _called_probe(direct)
    is_delegated = direct.loads and probe.role in ("subagent", "loaded-skill")
    return Prediction(direct, delegated(direct, harness, kind) if is_delegated else direct)


def predicted(adapter: Adapter, probe: Probe, version: str, found: Prediction) -> Outcome:
    effect = found.found
    tools = frozenset((*effect.tools, *effect.ask, *effect.custom)) - adapter.never_offered
    harness = get_harness(reference(adapter.id, version))
    may_run = _approval_check(harness, probe)
    return Outcome(
        # An adapter that does not know the words of a refusal cannot tell it from a file that does not load.
        found.direct.loads if adapter.refused else effect.loads,
        effect.loads,
        tools if effect.loads and probe.kind == "agent" else None,
        may_run(adapter, probe, harness) if may_run and effect.loads else None,
    )


def observed(adapter: Adapter, version: str, probe: Probe, seen: Observation) -> Outcome:
    """The recorded outcome. Skills and commands have no tools: those that were offered are the main agent's."""
    tools = frozenset(seen.tools or ()) - adapter.never_offered
    started = seen.loads and seen.started
    return Outcome(
        seen.loads,
        started,
        tools if started and probe.kind == "agent" else None,
        seen.ran if _approval_check(get_harness(reference(adapter.id, version)), probe) else None,
    )


def agree(ours: Outcome, theirs: Outcome) -> bool:
    """A call that could not be tried says nothing."""
    return ours == (theirs._replace(ran=ours.ran) if theirs.ran is None else theirs)


def _approval_check(harness: Harness, probe: Probe) -> Callable[[Adapter, Probe, Harness], bool] | None:
    """The function that predicts whether the call runs; None if settings or the mode of the run decide, not the file."""
    keys = harness.kinds[probe.kind].keys.values()
    if not probe.calls or probe.files:
        return None
    if probe.kind in ("skill", "command") and any(key.role == "approve" for key in keys):
        return _is_approved
    if probe.role == "agent" and any(key.role == "permission" for key in keys):
        return _is_permitted
    return None


def _is_permitted(adapter: Adapter, probe: Probe, harness: Harness) -> bool:
    """Do the author's rules allow exactly this call? A call that needs approval is refused without a person."""
    policy = Subject(_document(adapter, probe), harness, "agent").intent.policy
    command = str(probe.calls[-1].input["command"])
    rules = policy.patterns(Tool("Shell")) or (("*", policy.action(Tool("Shell"))),)
    return [action for pattern, action in rules if matches_wildcard(pattern, command)][-1] is Action.ALLOW


def _is_approved(adapter: Adapter, probe: Probe, harness: Harness) -> bool:
    """Does the file approve the probe's last call in advance, and not deny it?"""
    call = probe.calls[-1]
    approved = False
    for entry in Subject(_document(adapter, probe), harness, probe.kind).items:
        facts = harness.kinds[probe.kind].keys[entry.value.key]
        scope = (entry.item.scope or "*").replace(":*", " *")
        if entry.role == "approve" and facts.loaded == "ignored" and probe.role == "loaded-skill":
            continue
        if entry.value.shape not in facts.forms or not _means(entry, call.tool, probe, harness):
            continue
        if not matches_wildcard(f"{scope}*" if facts.prefixes else scope, str(call.input.get("command", ""))):
            continue
        if entry.role == "deny":
            return False
        approved = approved or entry.role == "approve"
    return approved


def _means(entry: ClassifiedItem, native: str, probe: Probe, harness: Harness) -> bool:
    name = entry.item.name
    if name in harness.kinds[probe.kind].keys[entry.value.key].also:
        return any(tool.name in harness.tools[native].grants for tool in entry.meaning.tools)
    known = [(server, tool) for server, tools in probe.servers.items() for tool in tools]
    # A pattern can match the tools of a server, but never servers.
    is_pattern = entry.verdict is Verdict.MCP and "*" not in (entry.meaning.tools[0].server or "*")
    return native in harness.natives(name) or any(
        native == native_mcp(server, tool, harness)
        and (names_mcp(name, server, tool, harness) or (is_pattern and matches_wildcard(name, native)))
        for server, tool in known
    )


def _effect_in_data(probe: Probe, path: str, harness: Harness) -> Effect:
    """The effect of the agent in a data file, which has its neighbours, too."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), {**probe.files, path: probe.text, ".git/HEAD": ""})
        shown = str(Path(folder, path))
        whole = _data_subject(shown, probe.text, harness, Subjects().context(shown))
        assert whole is not None
        if not whole.layout.holds and not whole.layout.under:  # the file is one agent
            return _called_probe(whole.members[0].effect) if whole.members else whole.effect
        own = next((each for each in whole.members if each.document.stem == "probe"), None)
        return _called_probe(own.effect) if own is not None else Effect(False, "there is no such agent")


def _called_probe(found: Effect) -> Effect:
    """It does not load where whoever asks for `probe` gets another one, or none."""
    if not found.loads or found.name == "probe":
        return found
    return Effect(False, f"known as {found.name}", data=found.data)


def _data_subject(path: str, text: str, harness: Harness, context: Context = NO_CONTEXT) -> DataSubject | None:
    """A data file with agents; None for any other file."""
    kinds = ((id, kind) for id, kind in harness.kinds.items() if kind.of_file(path).file != "markdown")
    kind = next((id for id, kind in kinds if _matches(path, kind)), "")
    return read_data(path, text.encode("utf-8", "surrogatepass"), harness, kind, context) if kind else None


def _is_looked_for(path: str, harness: Harness) -> bool:
    own = any(_matches(path, kind) for kind in harness.kinds.values() if not kind.moved_to and not kind.only_top)
    return own or any(each.harness.id == harness.id and not each.kind.moved_to for each in readers_of(path))


def _owner(path: str, harness: Harness) -> str:
    """Another harness that the file is intended for, if names in its folder have a meaning of their own."""
    for id in harness.foreign_names:
        if any(Glob(glob, anywhere=True).matches(path) for glob in get_harness(id).kinds["agent"].globs):
            return id
    return ""


def _matches(path: str, kind: Kind) -> bool:
    places = (kind.path.replace("{name}", "*"), *kind.globs)
    return any(Glob(each, anywhere=True).matches(path) for each in places)


def _document(adapter: Adapter, probe: Probe) -> Document:
    return Document(Source(adapter.path(probe), probe.text.encode()))


def _surroundings(adapter: Adapter, probe: Probe, harness: Harness, own: tuple[McpTool, ...]) -> Surroundings:
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), {**adapter.project(probe), ".git/HEAD": ""})
        neighbours = Discoverer().neighbours(str(Path(folder, adapter.path(probe))))
        surroundings = neighbours.surroundings(harness, "probe")
    configured = ((server, tool) for server, tools in probe.servers.items() for tool in tools)
    return surroundings._replace(mcp=(*configured, *own))


def _own_servers(document: Document, probe: Probe, harness: Harness) -> Iterator[McpTool]:
    """The tools of the servers that the file itself defines, which nothing but their programs says."""
    kind = harness.kinds[probe.kind]
    entry = document.get(slot) if (slot := kind.slot("mcp-servers")) else None
    if entry is None:
        return
    value = evaluate(entry.value, core)
    is_listed = kind.fields[slot].type[0] == "list"
    for part in value if is_listed and isinstance(value, list) else [value] if not is_listed else ():
        for name, server in part.items() if isinstance(part, dict) else ():
            match server:
                case {"args": [str(script), *named]}:
                    chosen = {*wanted} if isinstance(wanted := server.get("tools"), list) else {"*"}
                    yield from ((name, tool) for tool in _offered(script, named, probe) if chosen & {tool, "*"})


def _offered(script: str, named: list[str], probe: Probe) -> tuple[str, ...]:
    """The tools of a probe's server: the arguments of the lab's own, or those that its script lists."""
    if script == MCP_SERVER:
        return tuple(named)
    listed = re.search(r"for n in (\(.*?\))", probe.files.get(script, ""))
    return tuple(ast.literal_eval(listed[1])) if listed else ()
