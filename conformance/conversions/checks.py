"""Whether a written file gives an agent what its author intended: independent of the converter and of its proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from conformance.conversions.place import as_if_loaded, canonical, certain, natives, removable
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import approvals
from fsagent_lint.effect.conditions import CONDITIONS
from fsagent_lint.effect.effect import Effect
from fsagent_lint.effect.presets import FORM as PRESET
from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.gates import gate_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.mcp import mcp_names, names_mcp, parse_mcp, server_name
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import COMPANIONS, HARMFUL, Tool
from fsagent_lint.rewrite.repair_yaml import repair


class Intended(NamedTuple):
    """What the author of a file named, and what its own harness makes of it, in canonical tools."""

    policy: Policy
    named: frozenset[Tool]
    """In a positive word."""
    meant: frozenset[Tool]
    """Those of them that the names are written for: what only comes along with them is not missed."""
    denied: frozenset[Tool]
    """In a negative one."""
    granted: frozenset[Tool]
    """By the harness of the file, also what every agent there always has."""
    grants_some: bool
    """Does that harness grant anything that the file could do without?"""
    is_open: bool
    """Does it grant tools that the file does not name, such as those of MCP servers?"""
    limited: frozenset[Tool]
    """Tools that it limits to some uses."""
    approved: Policy
    """What runs without asking."""

    @property
    def is_deny_list(self) -> bool:
        return self.policy.default is not Action.DENY and bool(self.denied)

    @property
    def is_unrestricted(self) -> bool:
        """Neither the file nor its harness restricts anything."""
        return self.is_open and not self.policy.rules and self.policy.default is not Action.DENY


def intended(subject: Subject) -> Intended:
    subject = _repaired(subject)
    policy, harness = _narrower(subject), subject.harness
    named = frozenset(tool for tool in policy.named() if policy.action(tool) is not Action.DENY)
    items = (item for value in (*subject.values, *subject.misplaced) for item in value.items if item.name != "*")
    main = {tool for item in items for tool in subject.main_tools(item.name)}
    leaders = {name for name, leader in COMPANIONS.items() if Tool.parse(leader) in named}
    granted, is_open = _granted(subject)
    return Intended(
        policy,
        named,
        frozenset(tool for tool in named & main if tool.name not in leaders),
        frozenset(policy.named()) - named,
        canonical(granted, harness),
        bool(removable(granted, harness)),
        is_open,
        frozenset(tool for tool in named if policy.scopes(tool) and _honours_scope(tool, subject)),
        approvals(subject),
    )


def _narrower(subject: Subject) -> Policy:
    """The intent; a map that has tools on and off, one of them for reading on, is a list of what is on."""
    policy, values = subject.intent.policy, [*subject.values, *subject.misplaced]
    items = [item for value in values if value.shape == "map" for item in value.items]
    on = [item for item in items if item.action is Action.ALLOW]
    reads = any(Tool("Read") in subject.meaning(item.name).tools for item in on if item.name != "*")
    is_list = reads and all(item.name != "*" for item in items)
    return Policy(Action.DENY, policy.rules) if is_list and policy.default is Action.ALLOW else policy


def _repaired(subject: Subject) -> Subject:
    """The file with YAML that can be read, if quoting a value is enough."""
    fix = repair(subject) if subject.document.error is not None else None
    if fix is None:
        return subject
    source = subject.document.source
    repaired = subject.document.reread(source.to_bytes(apply_edits(source.text, fix.edits)))
    return subject.like(subject.harness, document=repaired)


def _granted(subject: Subject) -> tuple[tuple[str, ...], bool]:
    """The native tools, and whether there are unnamed ones; of a file that another field keeps from loading, as if it did."""
    found = as_if_loaded(subject.effect, subject.harness, subject.kind)
    if not found.loads and not subject.values and not subject.misplaced and not subject.kind.required_key:
        return subject.harness.default_tools, True
    return natives(found), found.loads and found.open


def _honours_scope(tool: Tool, subject: Subject) -> bool:
    """Does the harness limit the tool to the uses that a file names?"""
    keys = subject.kind.keys.values()
    if any(key.role == "permission" or (key.role == "allow" and key.scopes == "honoured") for key in keys):
        return True
    scoped = {name for key in keys if key.role == "allow" for name in key.scoped}
    return not scoped.isdisjoint(subject.harness.write.get(tool.name, ()))


def wider(intent: Intended, granted: frozenset[Tool], *, is_open: bool) -> Iterator[str]:
    """What an agent has beyond what its author named and its own harness granted. `granted`: what it could do without."""
    if intent.is_unrestricted:
        return
    denied_risks = {tool.risk for tool in intent.denied} if intent.is_deny_list else set()
    for tool in sorted(granted, key=str):
        if tool in intent.denied and (tool.risk in HARMFUL or tool.risk is None):
            yield f"{tool} (denied)"
        elif is_new_risk(tool, intent):
            yield str(tool)
        elif tool.risk in HARMFUL and tool.risk in denied_risks and tool not in intent.granted | intent.named:
            yield f"{tool} (not before, and its like is denied)"
    if is_open and not intent.is_open and intent.policy.default is Action.DENY:
        yield "tools of every MCP server"


def is_new_risk(tool: Tool, intent: Intended) -> bool:
    """Can it do harm of a sort that no tool could that the author named or the harness of the file granted?"""
    return tool.risk in HARMFUL and all(tool.risk is not each.risk for each in intent.named | intent.granted)


def unlimited(intent: Intended, granted: frozenset[Tool], after: Subject) -> Iterator[str]:
    """Tools that were limited to some uses, and no longer are."""
    for tool in sorted(intent.limited & granted, key=str):
        if not (_honours_scope(tool, after) and after.intent.policy.scopes(tool)):
            yield f"{tool} without its limit"


def newly_approved(intent: Intended, after: Subject) -> Iterator[str]:
    """Tools that run without asking, or without a limit, and did not before."""
    before, now = intent.approved, approvals(after)
    risks = {tool.risk for tool in before.named() if before.action(tool) is not Action.DENY}
    for tool in now.named():
        if now.action(tool) is Action.DENY:
            continue
        if before.action(tool) is Action.DENY and (
            tool.risk is None or (tool.risk in HARMFUL and tool.risk not in risks)
        ):
            yield f"{tool} approved"
        elif before.scopes(tool) and not now.scopes(tool):
            yield f"{tool} approved without its limit"


def missing(intent: Intended, found: Effect, after: Subject) -> list[Tool]:
    """Tools that the author named and had, and that the agent does not have any more. MCP tools count by their names."""
    granted = with_replaced(natives(found), after.harness)
    lost = [tool for tool in intent.meant & intent.granted if tool.risk is not None and tool not in granted]
    lost = [tool for tool in lost if not _has_substitute(tool, after)]
    return sorted((*lost, *(tool for tool in intent.named if tool.server and not _names(after, tool))), key=str)


def _has_substitute(tool: Tool, after: Subject) -> bool:
    names = {each.item.name for each in after.items if each.action is not Action.DENY}
    return not names.isdisjoint(after.harness.substitutes.get(tool.name, ()))


def lost_entries(before: Subject, lost: Sequence[Tool]) -> Iterator[tuple[str, tuple[Tool, ...]]]:
    """The entries of a file of which nothing is left, each with what it means; a name may stand for several tools."""
    for value in (*before.values, *before.misplaced):
        for item in value.items:
            tools = before.main_tools(item.name)
            if tools and all(tool in lost for tool in tools):
                yield item.text, tools


def with_replaced(granted: tuple[str, ...], harness: Harness) -> frozenset[Tool]:
    """What native tools are in canonical names, and the tools that a harness leaves out because it grants another one."""
    replaced = (name for name, tool in harness.tools.items() if not set(granted).isdisjoint(tool.unless))
    return canonical((*granted, *replaced), harness)


def _names(after: Subject, tool: Tool) -> bool:
    """Does a file name an MCP tool, or deny no tool that it does not name?"""
    harness, server = after.harness, tool.server or ""
    entries = [each.item.name for each in after.items if each.action is not Action.DENY]
    if after.intent.policy.default is not Action.DENY or after.effect.open:
        return True
    own = mcp_names(tool, harness)
    return any(entry in own or names_mcp(entry, server, tool.name, harness, allows=True) for entry in entries)


def can_have(tool: Tool, intent: Intended, after: Subject) -> bool:
    """Could a file give the agent this tool, as it was intended?"""
    if not _can_name_tools(after.kind):
        return False
    if (intent.policy.scopes(tool) or intent.policy.exceptions(tool)) and not _honours_scope(tool, after):
        return False
    if tool.server:
        is_nameable = tool.name != "*" or after.harness.mcp.whole == "anywhere"
        return is_nameable and bool(mcp_names(tool, after.harness))
    return tool in _possible(after) and bool(after.harness.write.get(tool.name))


def _can_name_tools(kind: Kind) -> bool:
    """Is there a key for tools, and not only one for sets of them?"""
    return any(key.role != "approve" and key.forms != (PRESET,) for key in kind.keys.values())


def _possible(after: Subject) -> frozenset[Tool]:
    """Every tool that an agent with the same other fields could have: some depend on its model."""
    absent = [name for name, when in after.harness.model_dependent_tools.items() if not CONDITIONS[when](_model(after))]
    return canonical(tuple(name for name in after.harness.tools if name not in absent), after.harness)


def _model(after: Subject) -> Value:
    return after.effect.data.get("model")


def unapproved(intent: Intended, after: Subject) -> list[Tool]:
    """Tools that the author approved, and that are asked about now."""
    before, now = intent.approved, approvals(after)
    return [tool for tool in before.named() if before.action(tool) is not Action.DENY is now.action(tool)]


def inexact(intent: Intended, found: Effect, after: Subject) -> Iterator[str]:
    """What the agent lacks of what was intended and it could have, and what it has besides that and what comes along."""
    if not found.loads:
        yield f"does not load ({found.error})"
        return
    harness = after.harness
    granted = canonical(removable(certain(found), harness), harness)
    least, most = _bounds(intent, after)
    yield from (f"lacks {tool}" for tool in sorted(least - with_replaced(natives(found), harness), key=str))
    yield from (f"has {tool}" for tool in sorted(granted - most, key=str))


def _bounds(intent: Intended, after: Subject) -> tuple[frozenset[Tool], frozenset[Tool]]:
    """The tools that an agent should have at least and at most."""
    harness = after.harness
    harmless = frozenset(tool for tool in _possible(after) if tool.risk not in HARMFUL)
    beside = frozenset[Tool]() if _can_name_tools(after.kind) else harmless
    if intent.policy.default is Action.DENY:
        least = frozenset(tool for tool in intent.meant if tool.risk is not None and can_have(tool, intent, after))
        usual = ((*harness.write.get(tool.name, ()), *harness.substitutes.get(tool.name, ())) for tool in intent.named)
        written = [name for names in usual for name in names]
        brought = canonical(tuple(native for name in written for native in harness.natives(name)), harness)
        return least, intent.named | brought | beside
    sure = tuple(name for name in harness.default_tools if harness.tools[name].presence == "default")
    default = canonical(sure, harness) & _possible(after)
    most = (default | intent.named | intent.granted) - intent.denied
    if not intent.policy.rules:
        return default, most
    least = frozenset(tool for tool in default & intent.granted if _is_separable(tool, intent.denied, harness))
    if any(key.role == "allow" and name in after.document.by_name for name, key in after.kind.keys.items()):
        # A list of what is not denied has nothing of a risk that is, and nothing that only comes along.
        risks = {tool.risk for tool in intent.denied if tool.risk in HARMFUL}
        main = {tool for name in harness.default_tools for tool in harness.tools[name].main}
        least = frozenset(tool for tool in least & main if tool.risk not in risks and tool.name not in COMPANIONS)
    return frozenset(tool for tool in least if can_have(tool, intent, after)), most | beside


def _is_separable(tool: Tool, denied: frozenset[Tool], harness: Harness) -> bool:
    """Can a tool be granted while others are denied, or does every gate that leads to it lead to one of those?"""
    for name in harness.default_tools:
        if tool in harness.tools[name].granted:
            gate = gate_of(name, harness.tools[name])
            together = [each for each, facts in harness.tools.items() if gate_of(each, facts) == gate]
            if denied.isdisjoint(canonical(tuple(together), harness)):
                return True
    return False


def foreign_names(intent: Intended, after: Subject) -> tuple[list[str], bool]:
    """Names in the tool keys that are not the harness's own, and whether names of several sorts stand in one list."""
    foreign: list[str] = []
    mixed = False
    for value in (*after.values, *after.misplaced):
        sorts = {_sort(item.name, intent, after) for item in value.items if item.name != "*"}
        foreign += [item.name for item in value.items if item.name != "*" and _sort(item.name, intent, after) != "own"]
        mixed = mixed or len(sorts) > 1
    return foreign, mixed


def _sort(name: str, intent: Intended, after: Subject) -> str:
    """own, or how a foreign name is spelled."""
    if _is_own(name, intent.policy, after):
        return "own"
    return "capital" if name[:1].isupper() else "lower"


def _is_own(name: str, policy: Policy, after: Subject) -> bool:
    harness, keys = after.harness, after.kind.keys.values()
    if name in harness.everything or any(name in names for names in harness.write.values()):
        return True
    if (name in harness.tools and not harness.only_names) or harness.custom_name(name) is not None:
        return True
    if any(name in key.also or name in key.gates or name == key.nothing for key in keys):
        return True
    tools = (*policy.named(), *(tool for item in after.items for tool in after.meaning(item.item.name).tools))
    if any(tool.is_custom and name in native_names((tool,), harness) for tool in tools):
        return True
    servers = frozenset(tool.server for tool in tools if tool.server is not None)
    if any(name in mcp_names(tool, harness) for tool in tools if tool.server is not None):
        return True
    found = parse_mcp(name, harness, servers | after.known_servers)
    return found is not None and (
        found.server == "*"
        or any(server_name(found.server or "", harness) == server_name(each, harness) for each in servers)
    )
