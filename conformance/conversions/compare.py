"""Where real harnesses disagree: with what was intended, and with what fsagent-lint says that they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from conformance.adapter import Adapter
from conformance.conversions.checks import Intended, can_have, intended, is_new_risk, wider, with_replaced
from conformance.conversions.place import Reader, canonical, readers, removable
from conformance.conversions.sample import NAME, Case, Seen, Trial
from conformance.probe import Observation
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.delegation import delegated
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.tool import Tool

SORTS = ("wider", "narrower", "does not load", "predicted otherwise")


class Disagreement(NamedTuple):
    sort: str
    """One of SORTS."""
    harness: str
    """Where it was seen."""
    what: str
    case: Case


def disagreements(case: Case, seen: Seen, adapters: Mapping[str, Adapter]) -> Iterator[Disagreement]:
    """Everything about a case that did not come out as it should."""
    source = seen[case.source.key]
    intent = _as_seen(intended(case.subject), case, source)
    for sort, what in _unpredicted(case.source, case.subject.document, case.pair[0], source, adapters):
        yield Disagreement(sort, case.source.harness, f"the source: {what}", case)
    for trial in case.results:
        observed = seen[trial.key]
        for sort, what in (
            *_unpredicted(trial, case.document, case.pair[1], observed, adapters),
            *_unintended(intent, trial, case, source, observed),
        ):
            yield Disagreement(sort, trial.harness, what, case)


def _as_seen(intent: Intended, case: Case, source: Observation) -> Intended:
    """What was intended, with the tools that the harness of the file was seen to grant."""
    if not source.loads:
        return intent
    harness = case.subject.harness
    # What depends on a network or a person is not there in the lab.
    tools = (*(source.tools or ()), *predicted(case.source, case.subject.document, case.pair[0]).conditional)
    return intent._replace(granted=canonical(tools, harness), grants_some=bool(removable(tools, harness)))


def _unintended(
    intent: Intended, trial: Trial, case: Case, source: Observation, observed: Observation
) -> Iterator[tuple[str, str]]:
    """How what a harness does with the result differs from what it should."""
    if not observed.loads:
        if source.loads:
            yield "does not load", (observed.error or "without a word").splitlines()[0]
        return
    harness = get_harness(trial.harness)
    tools = observed.tools or ()
    granted = canonical(removable(tools, harness), harness)
    yield from (("wider", each) for each in wider(intent, granted, is_open=False))
    yield from (("wider", f"{each} (unrestricted)") for each in _new_risks(intent, granted))
    after = Subject(case.document, harness, "agent")
    conditional = predicted(trial, case.document, case.pair[1]).conditional
    for tool in sorted(intent.named & intent.granted, key=str):
        if tool not in with_replaced((*tools, *conditional), harness) and can_have(tool, intent, after):
            yield "narrower", str(tool)


def _new_risks(intent: Intended, granted: frozenset[Tool]) -> Iterator[str]:
    if intent.is_unrestricted:
        yield from (str(tool) for tool in sorted(granted, key=str) if is_new_risk(tool, intent))


def _unpredicted(
    trial: Trial, document: Document, written_for: str, observed: Observation, adapters: Mapping[str, Adapter]
) -> Iterator[tuple[str, str]]:
    """How what a harness does differs from what fsagent-lint says."""
    found = predicted(trial, document, written_for)
    if found.loads != observed.loads:
        error = (found.error or observed.error or "without a word").splitlines()[0]
        yield SORTS[3], f"does not load ({error})" if found.loads else f"loads (and not: {error})"
        return
    if not found.loads:
        return
    never = adapters[trial.harness].never_offered
    expected = frozenset((*found.tools, *found.ask, *found.custom)) - never
    actual = frozenset(observed.tools or ()) - never
    yield from ((SORTS[3], f"has {tool}") for tool in sorted(actual - expected - frozenset(found.conditional)))
    yield from ((SORTS[3], f"does not have {tool}") for tool in sorted(expected - actual))


def predicted(trial: Trial, document: Document, written_for: str) -> Effect:
    """What fsagent-lint says that the harness does with a file at this path."""
    place = readers(document.source.path, written_for, "agent")
    reader = next((each for each in place if each.harness.id == trial.harness), None)
    reader = reader or Reader(get_harness(trial.harness), "agent")
    found = reader.effect(document)
    if found.loads and trial.probe.role == "subagent":
        found = delegated(found, reader.harness, reader.kind)
    if found.loads and found.name != NAME:
        return Effect(False, f"known as {found.name}")
    return found


def lines(found: list[Disagreement]) -> Iterator[str]:
    """One line for each disagreement of its sort, with the files that show it."""
    for sort in SORTS:
        groups: dict[tuple[str, str, str, str], list[str]] = {}
        for each in found:
            if each.sort == sort:
                groups.setdefault((*each.case.pair, each.harness, each.what), []).append(each.case.source.probe.id)
        if groups:
            yield f"{sort}:"
        for (source, target, harness, what), ids in sorted(groups.items()):
            where = "" if harness == target else f", in {harness}"
            more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
            yield f"  {source} -> {target}{where}: {what} ({ids[0]}{more})"
