"""What to write for a policy in a harness's native names: one key, one form, entries in the author's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import exceeds
from fsagent_lint.effect.js_regex import regex_of_scope, to_wildcards
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.edits import Edit, delete_entry
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action, Policy, scope_pattern
from fsagent_lint.model.tool import ACCEPT_NONE, HARMFUL, Tool, accepts
from fsagent_lint.rewrite.presets import choose_preset


class RenderedEntry(NamedTuple):
    """An entry to write. `scopes` are patterns with their actions, if the harness supports them."""

    name: str
    action: Action
    scopes: tuple[tuple[str, Action], ...] = ()
    tools: tuple[Tool, ...] = ()
    """The canonical tools that it stands for; empty for `*`."""


class Loss(NamedTuple):
    """What the harness cannot express: a tool that it lacks, a scope, or a tool that comes with another one."""

    kind: str
    """tool, scope, widened (a new risk) or bundled (a risk that the agent has anyway)."""
    tool: Tool
    detail: str = ""


class Rendered(NamedTuple):
    key: str | None
    """None: every tool is allowed, which is best expressed by no key."""
    role: str
    entries: tuple[RenderedEntry, ...]
    losses: tuple[Loss, ...]
    option: str = ""
    """The option that limits are written in, if not as `name(limit)`."""


def render(
    policy: Policy,
    harness: Harness,
    kind: Kind,
    form: str = "auto",
    *,
    accept: frozenset[str] = ACCEPT_NONE,
    spelled: Mapping[Tool, str] = {},
    keep_scopes: bool = False,
) -> Rendered:
    """Entries whose effect in the harness is the policy; if that is impossible, narrower, never wider.

    `spelled`: names that the author used and that the harness knows as well; `keep_scopes`: limits are written even
    if the harness ignores them, because it is the file's own harness and nothing should change.
    """
    roles: dict[str, str] = {key.role: name for name, key in kind.keys.items()}
    if "approve" in roles:
        roles.setdefault("allow", roles["approve"])
    losses: list[Loss] = []
    entries = _entries(policy, harness, losses, roles, accept, spelled, keep_scopes)
    if "permission" in roles:
        role = "switch" if form == "map" and "switch" in roles and _is_plain(policy, entries) else "permission"
        return _as_rules(policy, roles[role], role, entries, losses)
    if "allow" not in roles:
        return Rendered(None, "", (), tuple(losses))
    if kind.keys[roles["allow"]].forms == (FORM,):
        return _as_preset(policy, harness, roles["allow"], kind, entries, losses, accept)
    if policy.default is Action.DENY:
        return _as_allow_list(roles["allow"], kind, harness, entries, losses)
    denied = tuple(entry for entry in entries if entry.action is Action.DENY)
    if denied and "deny" in roles:
        return Rendered(roles["deny"], "deny", denied, tuple(losses))
    if denied or kind.required_key == roles["allow"]:
        # All other tools have to be named; with nothing denied, the tools of servers too.
        every = (RenderedEntry(harness.mcp.every, Action.ALLOW),) if harness.mcp.every and not denied else ()
        left = (*_remainder(policy, harness, entries, losses), *every)
        return Rendered(roles["allow"], "allow", left, tuple(losses))
    return Rendered(None, "allow", (), tuple(losses))


def _is_plain(policy: Policy, entries: Sequence[RenderedEntry]) -> bool:
    """Is every tool on or off? Only a permission can express `ask` and rules for single uses."""
    return policy.default is not Action.ASK and not any(entry.action is Action.ASK or entry.scopes for entry in entries)


def _as_allow_list(
    key: str, kind: Kind, harness: Harness, entries: list[RenderedEntry], losses: list[Loss]
) -> Rendered:
    allowed = tuple(entry for entry in entries if entry.action is not Action.DENY)
    kept = _without_denied(allowed, entries, harness, losses)
    if not kept and (nothing := kind.keys[key].nothing):
        kept = (RenderedEntry(nothing, Action.ALLOW),)
    return Rendered(key, "allow", kept, tuple(losses), kind.keys[key].option)


def _as_preset(
    policy: Policy,
    harness: Harness,
    name: str,
    kind: Kind,
    entries: list[RenderedEntry],
    losses: list[Loss],
    accept: frozenset[str],
) -> Rendered:
    """For a harness that only has presets: the nearest preset, or no key at all."""
    if policy.default is not Action.DENY and all(entry.action is not Action.DENY for entry in entries):
        return Rendered(None, "allow", (), tuple(losses))
    wanted = [tool for entry in entries if entry.action is not Action.DENY for tool in entry.tools]
    if policy.default is not Action.DENY:
        # A policy that denies editing does not ask for notebooks to be edited.
        denied = {tool.risk for entry in entries if entry.action is Action.DENY for tool in entry.tools}
        wanted = [tool for each in harness.write if (tool := Tool(each)).risk not in denied]
    choice = choose_preset(policy, wanted, harness, kind.keys[name], accept)
    if not choice.value:
        gained = (Loss("widened", tool, f"{name}: false") for tool in choice.gained)
        return Rendered(None, "allow", (), (*losses, *gained))
    missing = (Loss("tool", tool, f"`{name}: {choice.value}` takes it away") for tool in choice.missing)
    return Rendered(name, "allow", (RenderedEntry(choice.value, Action.ALLOW),), (*losses, *missing))


def _entries(
    policy: Policy,
    harness: Harness,
    losses: list[Loss],
    roles: dict[str, str],
    accept: frozenset[str],
    spelled: Mapping[Tool, str],
    keep_scopes: bool,
) -> list[RenderedEntry]:
    """Every tool that a rule names, with its action, under the native names of this harness."""
    merged: dict[str, RenderedEntry] = {}
    for tool in policy.named():
        action, scopes = policy.action(tool), policy.scopes(tool)
        names = (spelled[tool],) if tool in spelled else native_names((tool,), harness)
        if action is not Action.DENY and (why := _only_denied(tool, harness)):
            losses.append(Loss("tool", tool, why))
            continue
        if not names:
            if action is not Action.DENY and tool.name not in harness.unnamed_grants:
                losses.append(Loss("tool", tool))
            if action is Action.DENY is not policy.default and tool.server is not None and "permission" in roles:
                losses.append(Loss("widened", tool, "*"))  # the default of all rules allows it, and no rule can deny it
            continue
        patterns = (_wildcards(policy, tool) or ()) if "permission" in roles else ()
        if not keep_scopes and (limit := _lost_limit(policy, tool, harness, roles)):
            losses.append(Loss("scope", tool, limit))
            action, scopes = action if accepts(accept, tool) else Action.DENY, ()
        limits = [*scopes] if keep_scopes else [", ".join(scopes)]
        for name in names:
            for spelling in [f"{name}({limit})" for limit in limits] if scopes and not patterns else [name]:
                _merge(merged, RenderedEntry(spelling, action, patterns, (tool,)), losses)
    return list(merged.values())


def _wildcards(policy: Policy, tool: Tool) -> tuple[tuple[str, Action], ...] | None:
    """The rules for single uses, as patterns with `*`; None if one of the limits cannot be expressed so."""
    found: list[tuple[str, Action]] = []
    for scope, action in policy.patterns(tool):
        patterns = to_wildcards(scope_pattern(scope))
        if patterns is None:
            return None
        found += [(each, action) for each in patterns]
    return tuple(found)


def _only_denied(tool: Tool, harness: Harness) -> str:
    """Why a server, or all servers, cannot be allowed by name; empty if they can."""
    if tool.server == "*" and harness.mcp.every_denies:
        return "servers can be denied all at once, not allowed"
    if tool.server is not None and tool.name == "*" and harness.mcp.whole == "denied":
        return "a whole server can only be denied"
    return ""


def _lost_limit(policy: Policy, tool: Tool, harness: Harness, roles: dict[str, str]) -> str:
    """The limit on a tool's use that the harness cannot express, in words; empty if there is none."""
    if "permission" in roles:
        return "" if _wildcards(policy, tool) is not None else ", ".join(policy.scopes(tool) or policy.exceptions(tool))
    if excepted := policy.exceptions(tool):
        return "all but " + ", ".join(excepted)
    # A limit can be kept in a list of allowed tools; a list of denied tools cannot express it.
    keeps = policy.default is Action.DENY and _keeps_scopes(policy, tool, harness, roles)
    return "" if keeps else ", ".join(policy.scopes(tool))


def _keeps_scopes(policy: Policy, tool: Tool, harness: Harness, roles: dict[str, str]) -> bool:
    key = next((kind.keys[roles["allow"]] for kind in harness.kinds.values() if roles.get("allow") in kind.keys), None)
    if key is not None and key.option and any(regex_of_scope(scope) is None for scope in policy.scopes(tool)):
        return False  # only a regular expression can be written there
    return key is not None and (
        key.scopes == "honoured" or any(name in key.scoped for name in harness.write.get(tool.name, ()))
    )


def _merge(merged: dict[str, RenderedEntry], entry: RenderedEntry, losses: list[Loss]) -> None:
    """Several tools may share a name; then a denial wins over any other action."""
    known = merged.get(entry.name)
    if known is None:
        merged[entry.name] = entry
        return
    tools = (*known.tools, *entry.tools)
    if Action.DENY in (known.action, entry.action) and known.action is not entry.action:
        lost = known if known.action is not Action.DENY else entry
        losses += [Loss("tool", tool, f"`{entry.name}` is denied for another tool") for tool in lost.tools]
        merged[entry.name] = RenderedEntry(entry.name, Action.DENY, (), tools)
    else:
        weaker = min(known.action, entry.action, key=lambda action: action.strength)
        if known.scopes and entry.scopes and known.scopes != entry.scopes:
            losses += [Loss("tool", tool, f"`{entry.name}` is limited for another tool") for tool in entry.tools]
        merged[entry.name] = RenderedEntry(entry.name, weaker, known.scopes or entry.scopes, tools)


def _without_denied(
    allowed: tuple[RenderedEntry, ...], entries: list[RenderedEntry], harness: Harness, losses: list[Loss]
) -> tuple[RenderedEntry, ...]:
    """Leave out names that also grant an explicitly denied tool: denials win."""
    denied = {tool for entry in entries if entry.action is Action.DENY for tool in entry.tools}
    kept = []
    for entry in allowed:
        granted = {tool for native in harness.natives(entry.name) for tool in harness.tools[native].granted}
        if denied & granted or any(tool.covers(each) for tool in entry.tools for each in denied):
            losses += [Loss("tool", tool, f"`{entry.name}` would bring a denied tool") for tool in entry.tools]
        else:
            kept.append(entry)
    return tuple(kept)


def _as_rules(policy: Policy, key: str, role: str, entries: list[RenderedEntry], losses: list[Loss]) -> Rendered:
    if policy.default is Action.ALLOW and all(entry.action is Action.ALLOW and not entry.scopes for entry in entries):
        return Rendered(None, role, (), tuple(losses))
    if policy.default is Action.ALLOW:
        return Rendered(key, role, tuple(entries), tuple(losses))
    kept = tuple(entry for entry in entries if entry.action is not policy.default or entry.scopes)
    return Rendered(key, role, (RenderedEntry("*", policy.default), *kept), tuple(losses))


def _remainder(
    policy: Policy, harness: Harness, entries: list[RenderedEntry], losses: list[Loss]
) -> tuple[RenderedEntry, ...]:
    """Without a way to deny, all other tools have to be named, except by names that also grant a denied tool."""
    denied = {tool for entry in entries if entry.action is Action.DENY for tool in entry.tools}
    companions = {each for facts in harness.tools.values() for each in facts.brings}
    names_used = {tool: entry.name for entry in entries if entry.action is not Action.DENY for tool in entry.tools}

    def is_free(name: str) -> bool:
        grants = [Tool(each) for native in harness.natives(name) for each in harness.tools[native].grants]
        return not any(each in denied or policy.action(each) is Action.DENY for each in grants)

    names: dict[str, tuple[Tool, ...]] = {}
    for tool in dict.fromkeys([*(Tool(name) for name in harness.write), *names_used]):
        if tool in denied or policy.action(tool) is Action.DENY:
            continue
        # Companions come with another tool, or not at all.
        usual = harness.write.get(tool.name, ()) if tool.risk is not None else ()
        fit = [name for name in usual if name not in companions and is_free(name)]
        if not fit and tool in names_used and is_free(names_used[tool]):
            fit = [names_used[tool]]
        elif not fit and tool in names_used:
            losses.append(Loss("tool", tool, f"`{names_used[tool]}` would bring a denied tool"))
        for name in fit:
            names[name] = (*names.get(name, ()), tool)
    return tuple(RenderedEntry(name, Action.ALLOW, (), tools) for name, tools in names.items())


def widenings(policy: Policy, rendered: Rendered, harness: Harness) -> tuple[Loss, ...]:
    """What the rendered names grant beyond the intent."""
    if policy.default is Action.ALLOW:
        return ()
    found = []
    for entry in rendered.entries:
        if entry.action is Action.DENY or not entry.tools or entry.tools[0].server is not None:
            continue
        natives = harness.natives(entry.name)
        for tool in dict.fromkeys(Tool(each) for native in natives for each in harness.tools[native].grants):
            if policy.action(tool) is Action.DENY and tool.risk in HARMFUL:
                found.append(Loss("widened" if exceeds(policy, tool) else "bundled", tool, entry.name))
    return tuple(found)


def remove_tool_keys(subject: Subject) -> list[Edit]:
    """The edits that remove the author's tool keys."""
    values = (*subject.values, *subject.misplaced)
    return [delete_entry(subject.document.source.text, value.entry) for value in values]


def lost_tools(policy: Policy, target: Harness) -> list[Loss]:
    """Intended tools that the harness lacks."""
    intended = (tool for tool in policy.named() if policy.action(tool) is not Action.DENY)
    return [Loss("tool", tool) for tool in intended if not native_names((tool,), target)]


def fields_by_risk(policy: Policy, kind: Kind) -> dict[str, str]:
    """Fields that roughly express a list of tools; an unrestricted agent needs none."""
    if policy.default is not Action.DENY:
        return {}
    found = {}
    for name, field in kind.fields.items():
        fitting = (value for value, risks in field.by_risk.items() if policy.risks <= {*risks})
        if (value := next(fitting, None)) is not None:
            found[name] = value
    return found
