"""Which tools an agent may use: a default and ordered rules; the last one that matches wins."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.tool import Mcp, Risk, Tool


class Action(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def strength(self) -> int:
        return ("deny", "ask", "allow").index(self.value)


class PolicyRule(NamedTuple):
    """`tool` None means every tool; a scope narrows the rule to some uses, such as `git diff *`."""

    tool: Tool | None
    action: Action
    scope: str | None = None


_ANY_MCP = Mcp("*", "*")


class _Policy(NamedTuple):
    default: Action
    rules: tuple[PolicyRule, ...] = ()


class Policy(_Policy):
    def action(self, tool: Tool) -> Action:
        """What happens to a tool as a whole; scoped rules that allow make it usable, in part."""
        result = self.default
        for rule in self._about(tool):
            if rule.scope is None or rule.action.strength > result.strength:
                result = rule.action
        return result

    def patterns(self, tool: Tool) -> tuple[tuple[str, Action], ...]:
        """What is decided use by use, the general case (`*`) first; empty when one action holds for every use."""
        found: dict[str, Action] = {"*": self.default}
        for rule in self._about(tool):
            if rule.scope is None:
                found = {"*": rule.action}
            else:
                found.pop(rule.scope, None)  # said again, it counts where it is said last
                found[rule.scope] = rule.action
        return tuple(found.items()) if len(set(found.values())) > 1 else ()

    def scopes(self, tool: Tool) -> tuple[str, ...]:
        """The scopes that hold an allowed tool back; empty when it is allowed altogether."""
        whole, *parts = self.patterns(tool) or (("*", Action.ALLOW),)
        return tuple(scope for scope, action in parts if action is not Action.DENY) if whole[1] is Action.DENY else ()

    def exceptions(self, tool: Tool) -> tuple[str, ...]:
        """The uses that are denied of a tool that is allowed otherwise."""
        whole, *parts = self.patterns(tool) or (("*", Action.DENY),)
        return tuple(scope for scope, action in parts if action is Action.DENY) if whole[1] is not Action.DENY else ()

    def named(self) -> tuple[Tool, ...]:
        """Every tool that a rule names, once, in the author's order."""
        return tuple(dict.fromkeys(rule.tool for rule in self.rules if rule.tool is not None))

    def _about(self, tool: Tool) -> list[PolicyRule]:
        """The rules that a tool falls under, in their order."""
        servers = (Mcp(tool.server), _ANY_MCP) if tool.server is not None else ()
        names = (None, *dict.fromkeys((tool, *servers)))
        found = [self._by_tool[name] for name in names if name in self._by_tool]
        numbers = found[0] if len(found) == 1 else sorted(number for part in found for number in part)
        return [self.rules[number] for number in numbers]

    @cached_property
    def _by_tool(self) -> dict[Tool | None, list[int]]:
        """Which rules name a tool: a file may name thousands."""
        numbers: dict[Tool | None, list[int]] = {}
        for number, rule in enumerate(self.rules):
            numbers.setdefault(rule.tool, []).append(number)
        return numbers

    @property
    def denied(self) -> frozenset[Tool]:
        """Tools that a rule denies by name."""
        return frozenset(tool for tool in self.named() if self.action(tool) is Action.DENY)

    @property
    def risks(self) -> frozenset[Risk | None]:
        """The risks that the named tools bring."""
        return frozenset(tool.risk for tool in self.named() if self.action(tool) is not Action.DENY)


def allow_only(tools: Iterable[Tool], action: Action = Action.ALLOW) -> Policy:
    return Policy(Action.DENY, tuple(PolicyRule(tool, action) for tool in dict.fromkeys(tools)))


EVERYTHING = Policy(Action.ALLOW)


def scope_pattern(scope: str) -> str:
    """Claude's `git diff:*` is `git diff *` where patterns are wildcards."""
    return scope[:-2] + " *" if scope.endswith(":*") else scope
