"""Enrichers: pure functions `(harness, agent, policy) -> policy` that run when an agent is written for a harness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.files.globs import Glob
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import Tool, parse_tools
from fsagent_lint.project.settings import Enrichment, Settings


class AgentFacts(NamedTuple):
    """The facts about a file that an enricher can use."""

    name: str
    path: str
    kind: str
    data: Mapping[str, Value]
    """The frontmatter."""


Enricher = Callable[[Harness, AgentFacts, Policy], Policy]


def enrich(enrichers: Iterable[Enricher], harness: Harness, agent: AgentFacts, policy: Policy) -> Policy:
    """Run the enrichers in order, each on the policy that the one before it returned."""
    for enricher in enrichers:
        policy = enricher(harness, agent, policy)
    return policy


def add(policy: Policy, tools: Iterable[Tool]) -> Policy:
    """Allow tools; later rules override earlier ones."""
    return Policy(policy.default, (*policy.rules, *(PolicyRule(tool, Action.ALLOW) for tool in tools)))


def remove(policy: Policy, tools: Sequence[Tool]) -> Policy:
    """Deny tools, and every tool that they cover: `mcp:*` covers all MCP tools."""
    kept = tuple(rule for rule in policy.rules if not (rule.tool and any(tool.covers(rule.tool) for tool in tools)))
    return Policy(policy.default, (*kept, *(PolicyRule(tool, Action.DENY) for tool in tools)))


def declared(entry: Enrichment, where: str) -> Enricher:
    """The enricher that an `[[enrich]]` entry describes."""
    added = _tools(entry.add, f"{where}.add")
    removed = _tools(entry.remove, f"{where}.remove")

    def enricher(harness: Harness, agent: AgentFacts, policy: Policy) -> Policy:
        if not all(_matches(key, wanted, harness, agent) for key, wanted in entry.when.items()):
            return policy
        return add(remove(policy, removed) if removed else policy, added)

    return enricher


def _tools(names: Sequence[str], where: str) -> tuple[Tool, ...]:
    found: list[Tool] = []
    for name in names:
        tools = parse_tools(name)
        if tools is None:
            raise UserError(f"{where}: `{name}` is no canonical tool; `fsagent-lint tools` lists them.")
        found += tools
    return tuple(found)


def _matches(key: str, wanted: object, harness: Harness, agent: AgentFacts) -> bool:
    choices = wanted if isinstance(wanted, list) else [wanted]
    if key == "harness":
        return harness.id in choices
    if key == "path":
        return any(Glob(str(choice)).covers(agent.path) for choice in choices)
    if key == "name":
        return agent.name in choices
    value = agent.data.get(key)
    if isinstance(value, str) and key == "tags":
        value = [tag.strip() for tag in value.split(",")]
    values = value if isinstance(value, list) else [value]
    return any(choice in values for choice in choices)


def load_enrichers(settings: Settings, named: Sequence[str] = (), *, plugins: bool = False) -> list[Enricher]:
    """The entries of the config, in order, then installed enrichers, those that the config names first.

    Installed enrichers are code, and the config belongs to an untrusted project: `plugins` is the user's consent.
    """
    if settings.enrichers and not plugins:
        names = ", ".join(f"`{name}`" for name in settings.enrichers)
        raise UserError(f"The config asks for {names}: code of installed packages. --plugins lets it run.")
    enrichers = [declared(entry, f"enrich[{number}]") for number, entry in enumerate(settings.enrich)]
    return [*enrichers, *(_installed(name) for name in dict.fromkeys((*settings.enrichers, *named)))]


def _installed(name: str) -> Enricher:
    from importlib.metadata import entry_points

    found = list(entry_points(group="fsagent_lint.enrichers", name=name))
    if not found:
        raise UserError(f"There is no installed enricher `{name}` (entry point group fsagent_lint.enrichers).")
    try:
        loaded: Enricher = found[0].load()
    except Exception as error:
        raise UserError(f"The enricher `{name}` of {found[0].value} cannot be loaded: {error}") from error
    return loaded
