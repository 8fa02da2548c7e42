"""Enrichers: pure functions `(harness, agent, policy) -> policy` that run when an agent is written for a harness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import ALIASES, BUILTIN, Tool, parse_selector
from fsagent_lint.suggest import hint


class AgentFacts(NamedTuple):
    """The facts about a file that an enricher can use."""

    name: str
    path: str
    kind: str
    data: Mapping[str, Value]
    """The frontmatter."""


Enricher = Callable[[Harness, AgentFacts, Policy], Policy]


class NamedEnricher:
    """An enricher with the words that errors call it by."""

    def __init__(self, title: str, function: Enricher) -> None:
        self.title, self.function = title, function

    def __call__(self, harness: Harness, agent: AgentFacts, policy: Policy) -> Policy:
        return self.function(harness, agent, policy)


def enrich(enrichers: Iterable[Enricher], harness: Harness, agent: AgentFacts, policy: Policy) -> Policy:
    """Run the enrichers in order, each on the policy that the one before it returned.

    UserError for one that fails or returns anything but a policy: nothing can be written then.
    """
    for enricher in enrichers:
        try:
            policy = _checked(enricher(harness, agent, policy))
        except UserError as error:
            raise UserError(f"{_title(enricher)}: {error}") from error
        except (Exception, SystemExit) as error:  # whatever it does wrong, the message must name it
            raise UserError(f"{_title(enricher)} failed: {type(error).__name__}: {error}") from error
    return policy


def _title(enricher: Enricher) -> str:
    if isinstance(enricher, NamedEnricher):
        return enricher.title
    return f"The enricher `{getattr(enricher, '__qualname__', repr(enricher))}`"


def _checked(result: object) -> Policy:
    """The policy with its aliases resolved; UserError if it is none."""
    if not isinstance(result, Policy):
        raise UserError(f"it returned {_shown(result)} and not a policy")
    if not isinstance(result.default, Action):
        raise UserError(f"the default of its policy is {_shown(result.default)} and not an action")
    if not isinstance(result.rules, (tuple, list)):
        raise UserError(f"the rules of its policy are {_shown(result.rules)} and not a tuple")
    return Policy(result.default, tuple(rule for each in result.rules for rule in _checked_rules(each)))


def _checked_rules(rule: object) -> Iterator[PolicyRule]:
    types = (Tool | None, Action, str | None)
    if not isinstance(rule, PolicyRule) or not all(map(isinstance, rule, types)):
        raise UserError(f"its policy has {_shown(rule)} and not a rule")
    if rule.tool is None:
        yield rule
    else:
        yield from (rule._replace(tool=tool) for tool, _ in _selectors([rule.tool]))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def add(policy: Policy, tools: Iterable[Tool | str]) -> Policy:
    """Allow tools, or some uses of them (`Shell(git diff *)`); later rules override earlier ones."""
    rules = (PolicyRule(tool, Action.ALLOW, scope) for tool, scope in _selectors(tools))
    return Policy(policy.default, (*policy.rules, *rules))


def remove(policy: Policy, tools: Iterable[Tool | str]) -> Policy:
    """Deny tools, and every tool that they cover: `mcp:*` covers all MCP tools."""
    removed = list(_selectors(tools))
    whole = [tool for tool, scope in removed if scope is None]
    kept = tuple(rule for rule in policy.rules if not (rule.tool and any(tool.covers(rule.tool) for tool in whole)))
    return Policy(policy.default, (*kept, *(PolicyRule(tool, Action.DENY, scope) for tool, scope in removed)))


def _selectors(tools: Iterable[Tool | str]) -> Iterator[tuple[Tool, str | None]]:
    """The tools that names stand for, each with its scope; UserError for a name that stands for none."""
    for each in [tools] if isinstance(tools, str) else tools:
        if isinstance(each, Tool) and (each.server is not None or each.custom or each.native):
            yield each, None
            continue
        found = parse_selector(str(each))
        if found is None:
            guess = hint(str(each).partition("(")[0], [*BUILTIN, *ALIASES], "fsagent-lint tools")
            raise UserError(f"`{each}` is not a canonical tool, nor `mcp:server/tool` or `custom:name`. {guess}")
        yield from ((tool, found.scope) for tool in found.tools)
