"""Which tools an agent may use: a default and ordered rules; the last matching rule wins."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.tool import Risk, Tool, ToolLike, resolve


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


_ANY_MCP = Tool.mcp("*", "*")


class _Policy(NamedTuple):
    default: Action
    rules: tuple[PolicyRule, ...] = ()


class Policy(_Policy):
    """Immutable: every change is a new policy."""

    def with_tools(self, *tools: ToolLike) -> Policy:
        """Allow tools, or some uses of them (`Tool.Shell("git diff *")`), whatever the rules so far say about them."""
        rules = (PolicyRule(tool, Action.ALLOW, scope) for tool, scope in resolve(tools))
        return Policy(self.default, (*self.rules, *rules))

    def without(self, *tools: ToolLike) -> Policy:
        """Deny tools, and every tool that they cover: `Tool.mcp("*")` covers all MCP tools."""
        removed = [*resolve(tools)]
        whole = [tool for tool, scope in removed if scope is None]
        kept = (rule for rule in self.rules if not (rule.tool and any(tool.covers(rule.tool) for tool in whole)))
        return Policy(self.default, (*kept, *(PolicyRule(tool, Action.DENY, scope) for tool, scope in removed)))

    def action(self, tool: Tool) -> Action:
        """The action for a tool as a whole; a rule that allows a scope makes the tool usable in part."""
        found = self._actions.get(tool)
        if found is None:
            found = self._actions[tool] = self._find_action(tool)
        return found

    @cached_property
    def _actions(self) -> dict[Tool, Action]:
        """The actions that were asked for."""
        return {}

    def _find_action(self, tool: Tool) -> Action:
        if tool == Tool.Todo:
            return min(map(self.action, tool.members), key=lambda action: action.strength)
        result = self.default
        for rule in self._rules_for(tool):
            if rule.scope is None or rule.action.strength > result.strength:
                result = rule.action
        return result

    def patterns(self, tool: Tool) -> tuple[tuple[str, Action], ...]:
        """The action for each scope, the general case (`*`) first; empty if one action applies to every use."""
        found: dict[str, Action] = {"*": self.default}
        for rule in self._rules_for(tool):
            if rule.scope is None:
                found = {"*": rule.action}
            else:
                found.pop(rule.scope, None)  # a repeated scope counts at its last position
                found[rule.scope] = rule.action
        return tuple(found.items()) if len(set(found.values())) > 1 else ()

    def scopes(self, tool: Tool) -> tuple[str, ...]:
        """The scopes that an allowed tool is limited to; empty if it is allowed without limits."""
        whole, *parts = self.patterns(tool) or (("*", Action.ALLOW),)
        return tuple(scope for scope, action in parts if action is not Action.DENY) if whole[1] is Action.DENY else ()

    def exceptions(self, tool: Tool) -> tuple[str, ...]:
        """The denied scopes of a tool that is otherwise allowed."""
        whole, *parts = self.patterns(tool) or (("*", Action.DENY),)
        return tuple(scope for scope, action in parts if action is Action.DENY) if whole[1] is not Action.DENY else ()

    def named(self) -> tuple[Tool, ...]:
        """Every tool named by a rule, once, in the author's order."""
        return tuple(dict.fromkeys(rule.tool for rule in self.rules if rule.tool is not None))

    @cached_property
    def has_scopes(self) -> bool:
        """Is some rule only about some uses of its tool?"""
        return any(rule.scope is not None for rule in self.rules)

    def _rules_for(self, tool: Tool) -> list[PolicyRule]:
        """The rules that apply to a tool, in their order."""
        servers = (Tool.mcp(tool.server), _ANY_MCP) if tool.server is not None else ()
        names = (None, *dict.fromkeys((tool, *servers)))
        found = [self._rule_numbers[name] for name in names if name in self._rule_numbers]
        numbers = found[0] if len(found) == 1 else sorted(number for part in found for number in part)
        return [self.rules[number] for number in numbers]

    @cached_property
    def _rule_numbers(self) -> dict[Tool | None, list[int]]:
        """The numbers of the rules for each tool; an index, because a file may name thousands of tools."""
        numbers: dict[Tool | None, list[int]] = {}
        for number, rule in enumerate(self.rules):
            numbers.setdefault(rule.tool, []).append(number)
        return numbers

    @property
    def meaning(self) -> tuple[Action, dict[Tool, object]]:
        """What it says, however it says it: the default, and what differs from it for the tools that it names."""
        uses = {tool: self.patterns(tool) or self.action(tool) for tool in self.named()}
        return self.default, {tool: action for tool, action in uses.items() if action is not self.default}

    @property
    def risks(self) -> frozenset[Risk | None]:
        """The risks of the named tools that are not denied."""
        return frozenset(tool.risk for tool in self.named() if self.action(tool) is not Action.DENY)


def allow_only(tools: Iterable[Tool], action: Action = Action.ALLOW) -> Policy:
    return Policy(Action.DENY, tuple(PolicyRule(tool, action) for tool in dict.fromkeys(tools)))


EVERYTHING = Policy(Action.ALLOW)


def scope_pattern(scope: str) -> str:
    """A scope as a wildcard pattern: Claude's `git diff:*` is `git diff *`."""
    return scope[:-2] + " *" if scope.endswith(":*") else scope
