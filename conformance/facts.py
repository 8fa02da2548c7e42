"""Which facts of a table are no longer true: compares the recordings with the predictions of fsagent-lint."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from conformance.adapter import Adapter
from conformance.predict import Outcome, agree, observed, predict, predicted
from conformance.probe import TRUTH, Observation, Probe
from conformance.recording import Recorded, Recordings, version_of
from conformance.words import grouped
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.versions import reference, version_key


class Wrong(NamedTuple):
    """A fact of the table, what is wrong with it, and the probe that shows it."""

    place: str
    what: str
    probe: str = ""


def wrong_facts(adapter: Adapter, recordings: Recordings) -> Iterator[Wrong]:
    """The recordings are all of one version."""
    version = version_of(recordings)
    newest = get_harness(adapter.id)
    is_older = version_key(version) < version_key(newest.version)
    harness = get_harness(reference(adapter.id, version)) if is_older else newest
    yield from () if is_older else _age(newest, recordings)
    known = gaps(adapter.id, version)
    cases = [each for recording in recordings.values() for each in recording.probes if each.probe.id not in known]
    yield from _inventory(adapter, harness, cases)
    for probe, seen in cases:
        found = predict(adapter, probe, version)
        ours = predicted(adapter, probe, version, found)
        theirs = observed(adapter, version, probe, seen)
        if (ours.loads, ours.started) != (theirs.loads, theirs.started):
            yield from _wrong_loading(harness, probe, found.found, seen)
        elif not agree(ours, theirs):
            yield from _wrong_tools(harness, probe, ours, theirs)


def gaps(harness: str, version: str) -> dict[str, str]:
    """The probes with known wrong predictions, and the reasons."""
    return {**_listed_gaps().get(harness, {}), **_listed_gaps().get(reference(harness, version), {})}


@cache
def _listed_gaps() -> dict[str, dict[str, str]]:
    """By harness; what is wrong of one version alone stands under `harness@version`."""
    return tomllib.loads((TRUTH / "GAPS.toml").read_text(encoding="utf-8"))


def _age(harness: Harness, recordings: Recordings) -> Iterator[Wrong]:
    for name, recording in recordings.items():
        if recording.version != harness.version:
            yield Wrong("version", f"{harness.version!r}, but {recording.version} was recorded", name)
        verified = harness.verified or date.min
        if recording.recorded and date.fromisoformat(recording.recorded) > verified:
            yield Wrong("verified", f"{harness.verified}, but there are recordings of {recording.recorded}", name)


def _inventory(adapter: Adapter, harness: Harness, cases: list[Recorded]) -> Iterator[Wrong]:
    """Tools that the table lacks, and tools of the table that no agent had."""
    own = [
        each
        for each in cases
        if each.probe.kind == "agent"
        and not each.probe.servers
        and not each.probe.files
        and "mcp" not in each.probe.text
    ]
    seen_in = {tool: probe.id for probe, seen in own for tool in seen.tools or ()}
    for tool in sorted(seen_in.keys() - harness.tools.keys() - adapter.never_offered):
        yield Wrong(f"tools.{tool}", "is not in the table, but agents have it", seen_in[tool])
    for tool, facts in harness.tools.items():
        if tool in seen_in and facts.presence == "conditional" and not facts.certain:
            yield Wrong(f"tools.{tool}", f"is there without its condition ({facts.condition})", seen_in[tool])
        if tool not in seen_in and facts.presence != "conditional" and tool not in adapter.never_offered:
            yield Wrong(f"tools.{tool}", "is in the table, but no agent had it")


def _wrong_loading(harness: Harness, probe: Probe, found: Effect, seen: Observation) -> Iterator[Wrong]:
    kind = f"kinds.{probe.kind}"
    if found.loads and not seen.started:
        yield Wrong(kind, f"the harness does not start it for another agent: {seen.error}", probe.id)
    elif found.loads:
        error = (seen.error or "without a word").splitlines()[0]
        for place in _places(harness, probe) or [kind]:
            yield Wrong(place, f"the harness refuses the file: {error}", probe.id)
    else:
        place = f"{kind}.{_section(harness, probe, found.key)}" if found.key else f"reader {harness.reader}"
        yield Wrong(place, f"the harness loads the file, and the table says not: {found.error}", probe.id)


def _wrong_tools(harness: Harness, probe: Probe, ours: Outcome, theirs: Outcome) -> Iterator[Wrong]:
    role = " in a subagent" if probe.role == "subagent" else ""
    expected, actual = ours.tools or frozenset(), theirs.tools or frozenset()
    for tool in sorted(actual - expected):
        yield Wrong(f"tools.{tool}", f"is given{role} where the table says it is not", probe.id)
    for tool in sorted(expected - actual):
        yield Wrong(f"tools.{tool}", f"is not given{role} where the table says it is", probe.id)
    if theirs.ran is not None and ours.ran != theirs.ran:
        for place in _places(harness, probe):
            yield Wrong(place, "approves the call" if theirs.ran else "does not approve the call", probe.id)


def _places(harness: Harness, probe: Probe) -> list[str]:
    """The keys and fields that a probe tests."""
    document = Document(Source("probe.md", probe.text.encode()))
    names = [entry.name or "" for entry in document.entries]
    tested = [name for name in names if name not in ("name", "description")] or names
    return [f"kinds.{probe.kind}.{_section(harness, probe, name)}" for name in tested]


def _section(harness: Harness, probe: Probe, key: str) -> str:
    return f"keys.{key}" if key in harness.kinds[probe.kind].keys else f"fields.{key}"


def lines(wrong: Iterator[Wrong]) -> Iterator[str]:
    """One line for each fact, with the probes that show it."""
    return grouped((f"{place}: {what}", probe) for place, what, probe in wrong)
