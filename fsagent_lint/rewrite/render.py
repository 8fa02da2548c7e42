"""What to write for a policy in a harness's native names: one key, one form, entries in the author's order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.widening import Bounds, exceeds, is_excess
from fsagent_lint.effect.js_regex import regex_of_scope, to_wildcards
from fsagent_lint.effect.presets import FORM
from fsagent_lint.harnesses.gates import gate_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action, Policy, PolicyRule, scope_pattern
from fsagent_lint.model.tool import ACCEPT_NONE, COMPANIONS, HARMFUL, Mcp, Tool, accepts
from fsagent_lint.rewrite.presets import choose_preset

_READING = tuple(map(Tool, ("List", "Glob", "Grep")))
"""Whoever may read files may find them, whether or not the harness has tools of its own for that."""

_AUXILIARY = ("ToolSearch", "McpResources")
"""Nobody lists these; they serve the harness more than the agent."""


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


class Rendered(NamedTuple):
    key: str | None
    """None: every tool is allowed, which is best expressed by no key."""
    role: str
    entries: tuple[RenderedEntry, ...]
    losses: tuple[Loss, ...]
    option: str = ""
    """The option that limits are written in, if not as `name(limit)`."""


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


def render(
    wanted: Wanted,
    harness: Harness,
    kind: Kind,
    form: str = "auto",
    *,
    accept: frozenset[str] = ACCEPT_NONE,
    spelled: Mapping[Tool, str] = {},
    is_own: bool = False,
    lists_only: bool = False,
) -> Rendered:
    """Entries whose effect in the harness is the policy; if that is impossible, narrower, never wider.

    `spelled`: names to keep as the author wrote them; `is_own`: it is the file's own harness, so that nothing is
    dropped, not even limits that the harness ignores; `lists_only`: denials are not written, because not all readers
    of the file would obey them.
    """
    return _Renderer(wanted, harness, kind, accept, spelled, is_own=is_own).render(form, lists_only=lists_only)


class _Renderer:
    """Renders one policy: collects the losses."""

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

    def render(self, form: str, *, lists_only: bool) -> Rendered:
        roles = self.roles
        entries = self._entries()
        self._deny_what_lost_its_limit()
        if "permission" in roles:
            is_map = form == "map" and "switch" in roles and self._is_plain(entries)
            return self._as_rules(
                roles["switch" if is_map else "permission"], "switch" if is_map else "permission", entries
            )
        if "allow" not in roles:
            return self._rendered(None, "", ())
        if self.kind.keys[roles["allow"]].forms == (FORM,):
            return self._as_preset(roles["allow"], entries)
        self._note_questions(entries)
        if self.policy.default is Action.DENY:
            return self._as_allow_list(roles["allow"], entries)
        denied = tuple(entry for entry in entries if entry.action is Action.DENY)
        if denied and "deny" in roles and not lists_only:
            every = (*denied, *self._more_denials(denied))
            self._note_denied_together(every)
            return self._rendered(roles["deny"], "deny", every)
        if denied or self.kind.required_key == roles["allow"]:
            return self._rendered(roles["allow"], "allow", tuple(self._remainder(entries)))
        return self._rendered(None, "allow", ())

    def _rendered(self, key: str | None, role: str, entries: tuple[RenderedEntry, ...]) -> Rendered:
        option = self.kind.keys[key].option if key is not None and role == "allow" else ""
        return Rendered(key, role, entries, tuple(self.losses), option)

    def _is_plain(self, entries: Sequence[RenderedEntry]) -> bool:
        """Is every tool on or off? Only a permission can express `ask` and rules for single uses."""
        asks = self.policy.default is Action.ASK or any(entry.action is Action.ASK for entry in entries)
        return not asks and not any(entry.scopes for entry in entries)

    def _note_questions(self, entries: Sequence[RenderedEntry]) -> None:
        """A list cannot express that the harness has to ask first."""
        asked = [tool for entry in entries if entry.action is Action.ASK for tool in entry.tools]
        self.losses += (Loss("ask", tool) for tool in dict.fromkeys(asked))

    def _as_allow_list(self, key: str, entries: Sequence[RenderedEntry]) -> Rendered:
        kept = tuple(self._without_denied(entries))
        if not kept and (nothing := self.kind.keys[key].nothing):
            kept = (RenderedEntry(nothing, Action.ALLOW),)
        return self._rendered(key, "allow", kept)

    def _as_preset(self, name: str, entries: Sequence[RenderedEntry]) -> Rendered:
        """For a harness that only has presets: the nearest preset, or no key at all."""
        policy = self.policy
        if self.bounds.is_everything:
            return self._rendered(None, "allow", ())
        wanted = [tool for entry in entries if entry.action is not Action.DENY for tool in entry.tools]
        if policy.default is not Action.DENY:
            wanted = [tool for each in self.harness.write if self._is_left(tool := Tool(each))]
        choice = choose_preset(self.bounds, wanted, self.harness, self.kind.keys[name], self.accept)
        if not choice.value:
            self.losses += (Loss("widened", tool, f"{name}: false") for tool in choice.gained)
            return self._rendered(None, "allow", ())
        self.losses += (Loss("tool", tool, f"`{name}: {choice.value}` takes it away") for tool in choice.missing)
        return self._rendered(name, "allow", (RenderedEntry(choice.value, Action.ALLOW),))

    def _as_rules(self, key: str, role: str, entries: Sequence[RenderedEntry]) -> Rendered:
        default = self.policy.default
        if default is Action.ALLOW:
            denied = [entry for entry in entries if entry.action is Action.DENY]
            every = (*entries, *(self._more_denials(denied) if denied else ()))
            self._note_denied_together([entry for entry in every if entry.action is Action.DENY])
            plain = all(entry.action is Action.ALLOW and not entry.scopes for entry in every)
            return self._rendered(None if plain else key, role, () if plain else every)
        kept = (entry for entry in entries if entry.action is not default or entry.scopes)
        return self._rendered(key, role, (RenderedEntry("*", default), *kept))

    def _entries(self) -> list[RenderedEntry]:
        """Every tool that a rule names, with its action, under the native names of this harness."""
        merged: dict[str, RenderedEntry] = {}
        for tool in self.policy.named():
            for entry in self._entries_for(tool):
                self._merge(merged, entry)
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
        limits = [*scopes] if self.is_own else [", ".join(scopes)]
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
        names = self._names(tool, action)
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
        leader = Tool(COMPANIONS.get(tool.name, "")) if tool.risk is not None else None
        return (
            not self.is_own
            and leader in self.bounds.named
            and self.policy.action(leader) is not Action.DENY
            and not self.policy.scopes(leader)
        )

    def _names(self, tool: Tool, action: Action) -> tuple[str, ...]:
        """The names for a tool: the usual ones, or finer ones if those would grant a denied tool."""
        if tool in self.spelled:
            return (self.spelled[tool],)
        if action is Action.DENY and tool.name in self.harness.substitutes:
            return ()  # what serves in its place is not what was denied
        usual = native_names((tool,), self.harness)
        if action is Action.DENY or tool.server is not None or all(map(self._is_free, usual)):
            return usual
        return self._finer_names(tool) or usual

    def _is_free(self, name: str) -> bool:
        """Does a name grant nothing beyond the intent?"""
        return not any(is_excess(self.bounds, self.harness, native) for native in self.harness.natives(name))

    def _finer_names(self, tool: Tool) -> tuple[str, ...]:
        """Native tools that can be named by themselves, and grant this tool and nothing beyond the intent."""
        found = []
        for native, facts in self.harness.tools.items():
            known = self.harness.lookup(native) if tool in facts.main else None
            if known is not None and known.gives == (native,) and known.status == "current" and self._is_free(native):
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
        return key is not None and (
            key.scopes == "honoured" or any(name in key.scoped for name in self.harness.write.get(tool.name, ()))
        )

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
                    Loss("tool", tool, f"`{entry.name}` is limited for another tool") for tool in entry.tools
                )
            merged[entry.name] = RenderedEntry(entry.name, weaker, known.scopes or entry.scopes, tools)

    def _without_denied(self, entries: Sequence[RenderedEntry]) -> Iterator[RenderedEntry]:
        """The allowed entries, except names that also grant a tool that is denied by name: denials win."""
        for entry in entries:
            if entry.action is Action.DENY:
                continue
            if denied := self._denied_by_name(entry.name, entry.tools):
                self.losses += (Loss("denied", tool, " and ".join(map(str, denied))) for tool in entry.tools)
            else:
                yield entry

    def _denied_by_name(self, name: str, tools: Sequence[Tool]) -> list[Tool]:
        """The tools that a name grants, and that the author denied."""
        granted = dict.fromkeys(
            tool for native in self.harness.natives(name) for tool in self.harness.tools[native].granted
        )
        covered = [each for tool in tools for each in self.bounds.named if tool.covers(each)]
        main = self.harness.main_tools(name)
        found = [tool for tool in (*granted, *covered) if tool in self.bounds.named]
        denied = [tool for tool in found if self.policy.action(tool) is Action.DENY]
        # What can do no harm and only comes along is no reason to do without the rest.
        kept = [tool for tool in denied if tool.risk is not None and tool.risk not in HARMFUL and tool.name not in main]
        self.losses += (Loss("undenied", tool, name) for tool in kept)
        return [tool for tool in denied if tool not in kept]

    def _more_denials(self, denied: Sequence[RenderedEntry]) -> Iterator[RenderedEntry]:
        """Native tools of a denied risk that the agent never had: nobody could deny them by name."""
        known = {native for entry in denied for native in self.harness.natives(entry.name)}
        gates = dict.fromkeys(
            gate_of(native, self.harness.tools[native])
            for native in self.harness.default_tools
            if native not in known
            and not self.is_own
            and self.harness.tools[native].presence != "always"
            and is_excess(self.bounds, self.harness, native)
        )
        return (RenderedEntry(gate, Action.DENY) for gate in gates if all(gate != entry.name for entry in denied))

    def _note_denied_together(self, denied: Sequence[RenderedEntry]) -> None:
        """A tool that the agent had, and that the harness can only deny together with another one."""
        if self.is_own:
            return
        natives = {native for entry in denied for native in self.harness.natives(entry.name)}
        left = (facts for name, facts in self.harness.tools.items() if name not in natives)
        granted = {tool for facts in left for tool in facts.granted}
        for entry in denied:
            tools = (tool for native in self.harness.natives(entry.name) for tool in self.harness.tools[native].main)
            for tool in dict.fromkeys(tools):
                if tool in self.wanted.left and tool not in self.bounds.named and tool not in granted:
                    self.losses.append(Loss("denied", tool, " and ".join(map(str, entry.tools))))

    def _is_left(self, tool: Tool) -> bool:
        """Do the denials leave a tool to the agent? None that it never had, and none of a risk that was denied."""
        is_named = tool in self.bounds.named
        if tool in self.wanted.along or exceeds(self.bounds, tool) or self.policy.action(tool) is Action.DENY:
            return False
        if is_named or self.bounds.is_everything:
            return True
        had = tool in self.wanted.left or (tool in _READING and Tool("Read") in self.wanted.left)
        return had and tool.risk not in self.bounds.denied_risks and tool.name not in (*COMPANIONS, *_AUXILIARY)

    def _remainder(self, entries: Sequence[RenderedEntry]) -> Iterator[RenderedEntry]:
        """Without a way to deny, all other tools have to be named, except by names that also grant a denied tool."""
        companions = {each for facts in self.harness.tools.values() for each in facts.brings}
        fixed = {*self.harness.fixed_tools, *companions}
        named = [tool for entry in entries if entry.action is not Action.DENY for tool in entry.tools]
        names: dict[str, tuple[Tool, ...]] = {}
        for tool in dict.fromkeys((*map(Tool, self.harness.write), *named)):
            if not self._is_left(tool):
                self._note_same_risk(tool)
                continue
            usual = [
                name
                for name in self._names(tool, Action.ALLOW)
                if not fixed.issuperset(self.harness.natives(name)) or tool.risk is None
            ]
            for name in usual:
                if denied := self._denied_by_name(name, (tool,)):
                    self.losses.append(Loss("denied", tool, " and ".join(map(str, denied))))
                elif self._is_free(name):
                    names[name] = (*names.get(name, ()), tool)
        yield from (RenderedEntry(name, Action.ALLOW, (), tools) for name, tools in names.items())
        yield from self._servers()

    def _note_same_risk(self, tool: Tool) -> None:
        """A tool that the agent had, and loses with a denied one."""
        if tool not in self.bounds.named and tool in self.wanted.left and tool.risk in self.bounds.denied_risks:
            denied = (each for each in self.policy.named() if each.risk is tool.risk and each not in self.wanted.along)
            self.losses.append(Loss("same risk", tool, " and ".join(map(str, denied))))

    def _servers(self) -> Iterator[RenderedEntry]:
        """The MCP servers that a list of tools has to name as well."""
        naming, policy = self.harness.mcp, self.policy
        if naming.every and not naming.every_denies:
            if policy.action(Mcp("*")) is not Action.DENY:
                yield RenderedEntry(naming.every, Action.ALLOW, (), (Mcp("*"),))
            return
        left = [Mcp(server) for server in sorted(self.wanted.servers) if policy.action(Mcp(server)) is not Action.DENY]
        named = {server: native_names((server,), self.harness) for server in left if naming.whole == "anywhere"}
        for server, names in named.items():
            yield from (RenderedEntry(name, Action.ALLOW, (), (server,)) for name in names)
        known = ", ".join(f"`{server.server}`" for server, names in named.items() if names)
        self.losses.append(Loss("servers", Mcp("*"), f", except those of {known}" if known else ""))


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


def widenings(bounds: Bounds, rendered: Rendered, harness: Harness) -> tuple[Loss, ...]:
    """What the rendered names grant beyond the named tools."""
    policy = bounds.policy
    if policy.default is Action.ALLOW:
        return ()
    found = []
    for entry in rendered.entries:
        if entry.action is Action.DENY or not entry.tools or entry.tools[0].server is not None:
            continue
        natives = harness.natives(entry.name)
        for tool in dict.fromkeys(tool for native in natives for tool in harness.tools[native].granted):
            if policy.action(tool) is not Action.DENY or tool.risk not in HARMFUL:
                continue
            if exceeds(bounds, tool):
                found.append(Loss("widened", tool, entry.name))
            elif tool.name in harness.main_tools(entry.name) and Tool(COMPANIONS.get(tool.name, "")) not in entry.tools:
                found.append(Loss("bundled", tool, entry.name))
    return tuple(found)


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
