"""The audit in markdown: for the summary of a CI job, or a comment. Long lists are cut off, as GitHub limits a summary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsagent_lint.audit.changes import gains
from fsagent_lint.audit.facts import CAPABILITIES, Audit, Change, Comparison, Entry, Grant, Reading, State, Violation
from fsagent_lint.audit.words import summary, ways
from fsagent_lint.report.escape import MESSAGE, escape

MOST_ROWS = 500
"""How many rows a table has; GitHub's summary has at most one megabyte."""
_MARKUP = re.compile(r"[\\`*_\[\]()<>#!|~&@:$]|(?<=www)\.")
_CELLS = {State.GIVEN: "**yes**", State.DENIED: "–", State.INHERITED: "user's"}


def render(audit: Audit) -> str:
    parts = ["## Agent audit", "\n".join(f"{_text(line)}  " for line in summary(audit))]
    parts += _violations([violation for violation in audit.violations if not violation.known])
    parts += _changes(audit.comparison)
    parts += _errors(audit)
    parts += _agents(audit.entries)
    return "\n\n".join(parts) + "\n"


def _text(text: str, limit: int = MESSAGE) -> str:
    """Text that is no markup, no mention of a person and no link."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", escape(text, limit))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        lines += ["", f"and {len(rows) - MOST_ROWS:,} more rows"]
    return "\n".join(lines)


def _violations(found: Sequence[Violation]) -> Iterator[str]:
    if found:
        yield "### Forbidden by the policy"
        rows = [(_text(each.forbidden), _place(each.path, each.name), _text(each.message)) for each in found]
        yield _table(("policy", "agent", "why"), rows)


def _changes(comparison: Comparison | None) -> Iterator[str]:
    if comparison is None:
        return
    yield f"### Changes since {_text(comparison.since)}"
    if gained := gains(comparison.changes):
        yield f"Gained: {', '.join(f'{name} **{number:,}**' for name, number in gained.items())}"
    rows = [
        (_place(change.path, change.name), _text(change.harness), change.what, _text(_shifts(change)))
        for change in comparison.changes
    ]
    yield _table(("agent", "harness", "", "before and after"), rows) if rows else "No agent can do more or less."
    if comparison.notes:
        yield "\n".join(f"- {_text(note)}" for note in comparison.notes[:MOST_ROWS])


def _shifts(change: Change) -> str:
    return "; ".join(
        f"{'+' if each.is_gain else '-'} {each.name}: {each.before} → {each.after}" for each in change.shifts
    )


def _errors(audit: Audit) -> Iterator[str]:
    if audit.errors:
        yield "### Not read"
        yield _table(("file", "why"), [(_text(each.path), _text(each.message)) for each in audit.errors])


def _agents(entries: Sequence[Entry]) -> Iterator[str]:
    rows = [_row(entry, reading) for entry in entries for reading in entry.readings]
    if rows:
        yield "### What each agent can do"
        yield _table(("agent", "harness", *CAPABILITIES, "remarks"), rows)


def _row(entry: Entry, reading: Reading) -> tuple[str, ...]:
    place = _place(entry.path, entry.name)
    if not reading.loads:
        return place, reading.harness, *("" for _ in CAPABILITIES), _text(f"does not load: {reading.error}")
    remarks = ["unrestricted"] if reading.unrestricted else []
    remarks += [f"wider: {', '.join(reading.wider)}"] if reading.wider else []
    remarks += [f"narrower: {', '.join(reading.narrower)}"] if reading.narrower else []
    return place, _text(reading.harness), *map(_cell, _grants(reading)), _text("; ".join([*remarks, *ways(reading)]))


def _grants(reading: Reading) -> Iterator[Grant]:
    return map(reading.grant, CAPABILITIES)


def _cell(grant: Grant) -> str:
    word = _CELLS.get(grant.state, grant.state.value)
    return f"{word}: {_text(', '.join(grant.scopes))}" if grant.state is State.SCOPED else word


def _place(path: str, name: str) -> str:
    return f"<code>{_text(name)}</code><br><sub>{_text(path)}</sub>"
