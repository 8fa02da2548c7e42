"""What to write for a policy in a harness's native names: one key, one form, entries in the author's order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.widening import Bounds, exceeds, is_excess
from fsagent_lint.effect.presets import FORM
from fsagent_lint.harnesses.gates import gate_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import ACCEPT_NONE, COMPANIONS, HARMFUL, TOOLS, Tool
from fsagent_lint.rewrite.entries import Entries, Loss, RenderedEntry, Wanted
from fsagent_lint.rewrite.presets import choose_preset

_READING = (Tool.List, Tool.Glob, Tool.Grep)
"""Whoever may read files may find them, whether or not the harness has tools of its own for that."""

_AUXILIARY = ("ToolSearch", "McpResources", "MessageRead", "ScheduleRead", "Docs", "EditorContext", "History", "Goal")
"""Nobody lists these; they serve the harness more than the agent."""


class Rendered(NamedTuple):
    key: str | None
    """None: every tool is allowed, which is best expressed by no key."""
    role: str
    entries: tuple[RenderedEntry, ...]
    losses: tuple[Loss, ...]
    option: str = ""
    """The option that limits are written in, if not as `name(limit)`."""


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
    entries = Entries(wanted, harness, kind, accept, spelled, is_own=is_own)
    return _Renderer(entries).render(form, lists_only=lists_only)


class _Renderer:
    """Renders one policy: chooses the key, and what is said of the tools that nobody named."""

    def __init__(self, entries: Entries) -> None:
        self.entries, self.wanted, self.harness, self.kind = entries, entries.wanted, entries.harness, entries.kind
        self.roles, self.losses, self.is_own, self.accept = (
            entries.roles,
            entries.losses,
            entries.is_own,
            entries.accept,
        )

    @property
    def policy(self) -> Policy:
        return self.entries.policy

    @property
    def bounds(self) -> Bounds:
        return self.entries.bounds

    def render(self, form: str, *, lists_only: bool) -> Rendered:
        roles = self.roles
        entries = self.entries.named()
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
        kept = tuple(self.entries.allowed(entries))
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
            wanted += [tool for each in self.harness.write if self._is_left(tool := TOOLS[each])]
        choice = choose_preset(self.bounds, dict.fromkeys(wanted), self.harness, self.kind.keys[name], self.accept)
        if not choice.value:
            self.losses += (Loss("widened", tool, f"{name}: false") for tool in choice.gained)
            return self._rendered(None, "allow", ())
        self.losses += (Loss("tool", tool, f"`{name}: {choice.value}` denies it") for tool in choice.missing)
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
        had = tool in self.wanted.left or (tool in _READING and Tool.Read in self.wanted.left)
        return had and tool.risk not in self.bounds.denied_risks and tool.name not in (*COMPANIONS, *_AUXILIARY)

    def _remainder(self, entries: Sequence[RenderedEntry]) -> Iterator[RenderedEntry]:
        """Without a way to deny, all other tools have to be named, except by names that also grant a denied tool."""
        companions = {each for facts in self.harness.tools.values() for each in facts.brings}
        fixed = {*self.harness.fixed_tools, *companions}
        named = [tool for entry in entries if entry.action is not Action.DENY for tool in entry.tools]
        names: dict[str, tuple[Tool, ...]] = {}
        for tool in dict.fromkeys((*(TOOLS[each] for each in self.harness.write), *named)):
            if not self._is_left(tool):
                self._note_same_risk(tool)
                continue
            usual = [
                name
                for name in self.entries.names(tool, Action.ALLOW)
                if not fixed.issuperset(self.harness.natives(name)) or tool.risk is None
            ]
            for name in usual:
                if denied := self.entries.denied_by_name(name, (tool,)):
                    self.losses.append(Loss("denied", tool, " and ".join(map(str, denied))))
                elif self.entries.is_free(name):
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
            if policy.action(Tool.mcp("*")) is not Action.DENY:
                yield RenderedEntry(naming.every, Action.ALLOW, (), (Tool.mcp("*"),))
            return
        left = [
            Tool.mcp(server)
            for server in sorted(self.wanted.servers)
            if policy.action(Tool.mcp(server)) is not Action.DENY
        ]
        named = {server: native_names((server,), self.harness) for server in left if naming.whole == "anywhere"}
        for server, names in named.items():
            yield from (RenderedEntry(name, Action.ALLOW, (), (server,)) for name in names)
        known = ", ".join(f"`{server.server}`" for server, names in named.items() if names)
        self.losses.append(Loss("servers", Tool.mcp("*"), f", except those of {known}" if known else ""))


def widenings(bounds: Bounds, rendered: Rendered, harness: Harness) -> tuple[Loss, ...]:
    """What the rendered names grant beyond the named tools."""
    policy = bounds.policy
    if policy.default is Action.ALLOW:
        return ()
    found = []
    for entry in rendered.entries:
        if entry.action is Action.DENY or not entry.tools or entry.tools[0].server is not None:
            continue
        for tool in harness.granted(harness.natives(entry.name)):
            if policy.action(tool) is not Action.DENY or tool.risk not in HARMFUL:
                continue
            if exceeds(bounds, tool):
                found.append(Loss("widened", tool, entry.name))
            elif tool.name in harness.main_tools(entry.name) and tool.leader not in entry.tools:
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
