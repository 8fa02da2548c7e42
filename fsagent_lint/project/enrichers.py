"""The enrichers of a run: those that the config describes, and those of installed packages."""

from __future__ import annotations

from fsagent_lint.agent.agent import Agent, Enricher, Enrichers
from fsagent_lint.agent.enrich import NamedEnricher
from fsagent_lint.errors import UserError
from fsagent_lint.files.globs import Glob
from fsagent_lint.model.choices import HarnessId
from fsagent_lint.model.policy import Policy
from fsagent_lint.project.settings import Enrichment, Settings


def declared(entry: Enrichment, where: str) -> Enricher:
    """The enricher that an `[[enrich]]` entry describes."""

    def enricher(harness: HarnessId, agent: Agent, policy: Policy) -> Policy:
        if not all(_matches(key, wanted, harness, agent) for key, wanted in entry.when.items()):
            return policy
        return policy.without(*entry.remove).with_tools(*entry.add)

    return NamedEnricher(where, enricher)


def _matches(key: str, wanted: object, harness: HarnessId, agent: Agent) -> bool:
    choices = wanted if isinstance(wanted, list) else [wanted]
    if key == "harness":
        return harness in choices
    if key == "path":
        return any(Glob(str(choice)).covers(agent.path) for choice in choices)
    if key == "name":
        return agent.name in choices
    value = agent.frontmatter.get(key)
    if isinstance(value, str) and key == "tags":
        value = [tag.strip() for tag in value.split(",")]
    values = value if isinstance(value, list) else [value]
    return any(choice in values for choice in choices)


def load_enrichers(settings: Settings, given: Enrichers = (), *, plugins: bool = False) -> list[Enricher]:
    """The entries of the config, in order, then the installed enrichers that it names, then those that the caller gives.

    Installed enrichers are code, and the config belongs to an untrusted project: `plugins` is the user's consent.
    """
    if settings.enrichers and not plugins:
        names = ", ".join(f"`{name}`" for name in settings.enrichers)
        raise UserError(f"The config runs code of installed packages ({names}). Allow it with --plugins.")
    every = several(given)
    named = dict.fromkeys((*settings.enrichers, *(each for each in every if isinstance(each, str))))
    functions = (each for each in every if not isinstance(each, str))
    declarations = (declared(entry, f"enrich[{number}]") for number, entry in enumerate(settings.enrich))
    return [*declarations, *map(_installed, named), *functions]


def several(given: Enrichers) -> tuple[Enricher | str, ...]:
    """A single enricher stands for a list of one."""
    return (given,) if isinstance(given, str) or callable(given) else tuple(given)


def _installed(name: str) -> Enricher:
    from importlib.metadata import entry_points

    found = list(entry_points(group="fsagent_lint.enrichers", name=name))
    if not found:
        raise UserError(f"There is no installed enricher `{name}` (entry point group fsagent_lint.enrichers).")
    try:
        loaded: Enricher = found[0].load()
    except Exception as error:
        raise UserError(f"The enricher `{name}` of {found[0].value} cannot be loaded: {error}") from error
    return NamedEnricher(f"The enricher `{name}` of {found[0].value}", loaded)
