"""The entries for the tools that a policy names: which native names stand for them, and what cannot be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.widening import Bounds, is_excess
from fsagent_lint.effect.js_regex import regex_of_scope, to_wildcards
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action, Policy, PolicyRule, scope_pattern
from fsagent_lint.model.tool import HARMFUL, Tool, accepts


class RenderedEntry(NamedTuple):
    """An entry to write. `scopes` are patterns with their actions, if the harness supports them."""

    name: str
    action: Action
    scopes: tuple[tuple[str, Action], ...] = ()
    tools: tuple[Tool, ...] = ()
    """The canonical tools that it stands for; empty for `*`."""
    origin: str = ""
    """The author's name that it replaces, if it replaces one name by another."""


class Loss(NamedTuple):
    """What the harness cannot express."""

    kind: Literal[
        "tool",
        "denied",
        "same risk",
        "undenied",
        "scope",
        "ask",
        "approval",
        "unapproved",
        "servers",
        "unnamed",
        "place",
        "widened",
        "bundled",
    ]
    """tool: the harness lacks it. denied: it cannot be granted without a denied one. same risk: a list of what is not
    denied leaves it out, because another tool of its risk is denied. undenied: it is denied, and comes with another one. scope, ask: it is granted or
    denied as a whole. approval: it cannot be approved in advance. unapproved: it was not approved
    before either, by a key that the harness of the file does not read. servers: MCP servers that a list leaves out. unnamed: a map
    names others, and is written as a list of those. place: another reader misunderstands it, which was accepted.
    widened: a tool of a new risk comes with it. bundled: a tool of a
    risk that the agent has anyway does."""
    tool: Tool
    detail: str = ""


class Wanted(NamedTuple):
    """The tools to write for an agent."""

    bounds: Bounds
    along: frozenset[Tool] = frozenset()
    """Allowed tools that only come along with the ones that the author named: nothing is written for them."""
    left: frozenset[Tool] = frozenset()
    """What denials leave to the agent: the tools that its own harness grants it in any case."""
    servers: frozenset[str] = frozenset()
    """MCP servers that denials leave to the agent."""

    @property
    def policy(self) -> Policy:
        return self.bounds.policy


class Entries:
    """Names the tools of one policy: collects the losses."""

    def __init__(
        self,
        wanted: Wanted,
        harness: Harness,
        kind: Kind,
        accept: frozenset[str],
        spelled: Mapping[Tool, str],
        *,
        is_own: bool,
    ) -> None:
        self.wanted, self.harness, self.kind, self.accept, self.spelled = wanted, harness, kind, accept, spelled
        self.bounds, self.policy, self.is_own = wanted.bounds, wanted.policy, is_own
        self.losses: list[Loss] = []
        self.given_up: dict[Tool, None] = {}
        """Tools that are left out because the harness cannot limit them."""
        self.roles: dict[str, str] = {key.role: name for name, key in kind.keys.items()}
        if "approve" in self.roles:
            self.roles.setdefault("allow", self.roles["approve"])

    def named(self) -> list[RenderedEntry]:
        """Every tool that a rule names, with its action, under the native names of this harness."""
        merged: dict[str, RenderedEntry] = {}
        for tool in self.policy.named():
            for entry in self._entries_for(tool):
                self._merge(merged, entry)
        self._deny_what_lost_its_limit()
        return list(merged.values())

    def _entries_for(self, tool: Tool) -> Iterator[RenderedEntry]:
        action, scopes = self.policy.action(tool), self.policy.scopes(tool)
        names = self._names_or_loss(tool, action)
        patterns = (_wildcards(self.policy, tool) or ()) if "permission" in self.roles else ()
        if names and not self.is_own and (limit := self._lost_limit(tool)):
            self.losses.append(Loss("scope", tool, limit))
            if not accepts(self.accept, tool):
                self.given_up[tool] = None
            action, scopes = Action.DENY if tool in self.given_up else action, ()
        limits = [*scopes] if self.is_own or self._honours_scopes else [", ".join(scopes)]
        for name in names:
            for spelling in [f"{name}({limit})" for limit in limits] if scopes and not patterns else [name]:
                yield RenderedEntry(spelling, action, patterns, (tool,))

    def _deny_what_lost_its_limit(self) -> None:
        """Among denials, a tool whose limit cannot be expressed is one more, and so are others of its risk."""
        if self.given_up and self.policy.default is not Action.DENY:
            denials = (PolicyRule(tool, Action.DENY) for tool in self.given_up)
            self.policy = Policy(self.policy.default, (*self.policy.rules, *denials))
            self.bounds = Bounds(self.policy, self.bounds.had)

    def _names_or_loss(self, tool: Tool, action: Action) -> tuple[str, ...]:
        """The names to write for a tool; none if it comes along, or if that is a loss."""
        names = self.names(tool, action)
        if action is Action.DENY:
            default, is_server = self.policy.default, tool.server is not None
            if not names and default is not Action.DENY and is_server and "permission" in self.roles:
                self.losses.append(Loss("widened", tool, "*"))  # the default allows it, and no rule can deny it
            if names and not self.is_own and self._is_harmless_part(tool, names):
                self.losses.append(Loss("undenied", tool, names[0]))
                return ()
            return names
        # Among denials, silence would grant it without its limit.
        if self._comes_along(tool) and (self.policy.default is Action.DENY or not self._lost_limit(tool)):
            return ()
        why = _only_denied(tool, self.harness)
        if why or (not names and tool.name not in self.harness.unnamed_grants):
            self.losses.append(Loss("tool", tool, why))
            return ()
        return names

    def _is_harmless_part(self, tool: Tool, names: Sequence[str]) -> bool:
        """Can a tool do no harm, and be denied only together with what the names are really for?"""
        if tool.risk is None or tool.risk in HARMFUL:
            return False
        return not any(tool.name in self.harness.main_tools(name) for name in names)

    def _comes_along(self, tool: Tool) -> bool:
        """Is nothing written for a tool, because it comes with another one that is?"""
        if tool in self.wanted.along:
            return True
        leader = tool.leader
        return (
            not self.is_own
            and leader in self.bounds.named
            and self.policy.action(leader) is not Action.DENY
            and not self.policy.scopes(leader)
        )

    def names(self, tool: Tool, action: Action) -> tuple[str, ...]:
        """The names for a tool: the usual ones, or finer ones if those would grant a denied tool."""
        if tool in self.spelled:
            return (self.spelled[tool],)
        if action is Action.DENY and tool.name in self.harness.substitutes:
            return ()  # what serves in its place is not what was denied
        usual = native_names((tool,), self.harness)
        if action is Action.DENY or tool.server is not None or all(map(self.is_free, usual)):
            return usual
        return self._finer_names(tool) or usual

    def is_free(self, name: str) -> bool:
        """Does a name grant nothing beyond the intent?"""
        return not any(is_excess(self.bounds, self.harness, native) for native in self.harness.natives(name))

    def _finer_names(self, tool: Tool) -> tuple[str, ...]:
        """Native tools that can be named by themselves, and grant this tool and nothing beyond the intent."""
        found = []
        for native, facts in self.harness.tools.items():
            known = self.harness.lookup(native) if tool in facts.main else None
            if known is not None and known.gives == (native,) and known.status == "current" and self.is_free(native):
                found.append(native)
        return tuple(found)

    def _lost_limit(self, tool: Tool) -> str:
        """The limit on a tool's use that the harness cannot express, in words; empty if there is none."""
        policy = self.policy
        scopes, exceptions = policy.scopes(tool), policy.exceptions(tool)
        if "permission" in self.roles:
            return "" if _wildcards(policy, tool) is not None else ", ".join(scopes or exceptions)
        if exceptions:
            return "all but " + ", ".join(exceptions)
        # A limit can be kept in a list of allowed tools; a list of denied tools cannot express it.
        keeps = policy.default is Action.DENY and self._keeps_scopes(tool)
        return "" if keeps else ", ".join(scopes)

    def _keeps_scopes(self, tool: Tool) -> bool:
        key = self.kind.keys[self.roles["allow"]] if "allow" in self.roles else None
        if key is not None and key.option and any(regex_of_scope(each) is None for each in self.policy.scopes(tool)):
            return False  # only a regular expression can be written there
        return self._honours_scopes or (
            key is not None and any(name in key.scoped for name in self.harness.write.get(tool.name, ()))
        )

    @property
    def _honours_scopes(self) -> bool:
        """Does every entry of a list of allowed tools keep its scope?"""
        return "allow" in self.roles and self.kind.keys[self.roles["allow"]].scopes == "honoured"

    def _merge(self, merged: dict[str, RenderedEntry], entry: RenderedEntry) -> None:
        """Several tools may share a name; then a denial wins over any other action."""
        known = merged.get(entry.name)
        if known is None:
            merged[entry.name] = entry
            return
        tools = (*known.tools, *entry.tools)
        if Action.DENY in (known.action, entry.action) and known.action is not entry.action:
            lost, denied = (known, entry) if known.action is not Action.DENY else (entry, known)
            self.losses += (Loss("denied", tool, " and ".join(map(str, denied.tools))) for tool in lost.tools)
            merged[entry.name] = RenderedEntry(entry.name, Action.DENY, (), tools)
        else:
            weaker = min(known.action, entry.action, key=lambda action: action.strength)
            if known.scopes and entry.scopes and known.scopes != entry.scopes:
                self.losses += (
                    Loss("tool", tool, f"`{entry.name}` has the scope of another tool") for tool in entry.tools
                )
            merged[entry.name] = RenderedEntry(entry.name, weaker, known.scopes or entry.scopes, tools)

    def allowed(self, entries: Sequence[RenderedEntry]) -> Iterator[RenderedEntry]:
        """The allowed entries, except names that also grant a tool that is denied by name: denials win."""
        for entry in entries:
            if entry.action is Action.DENY:
                continue
            if denied := self.denied_by_name(entry.name, entry.tools):
                self.losses += (Loss("denied", tool, " and ".join(map(str, denied))) for tool in entry.tools)
            else:
                yield entry

    def denied_by_name(self, name: str, tools: Sequence[Tool]) -> list[Tool]:
        """The tools that a name grants, and that the author denied."""
        granted = self.harness.granted(self.harness.natives(name))
        servers = [tool for tool in tools if tool.server is not None and tool.name == "*"]
        covered = [each for tool in servers for each in self.bounds.named if tool.covers(each)]
        main = self.harness.main_tools(name)
        found = [tool for tool in (*granted, *covered) if tool in self.bounds.named]
        denied = [tool for tool in found if self.policy.action(tool) is Action.DENY]
        # What can do no harm and only comes along is no reason to do without the rest.
        kept = [tool for tool in denied if tool.risk is not None and tool.risk not in HARMFUL and tool.name not in main]
        self.losses += (Loss("undenied", tool, name) for tool in kept)
        return [tool for tool in denied if tool not in kept]


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
        return "all servers at once can only be denied"
    if tool.server is not None and tool.name == "*" and harness.mcp.whole != "anywhere":
        return "a whole server can only be denied" if harness.mcp.whole == "denied" else "a whole server has no name"
    return ""
