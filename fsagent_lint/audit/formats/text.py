"""The audit for people at a terminal: a table of agents and what they can do, then what deserves a look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsagent_lint.audit.changes import gains
from fsagent_lint.audit.facts import CAPABILITIES, Audit, Comparison, Entry, Reading, State
from fsagent_lint.audit.words import notes_of, summary
from fsagent_lint.report import describe_problem
from fsagent_lint.report.escape import MESSAGE, escape, escape_place
from fsagent_lint.report.summary import count

_HEAD = ("harness", *CAPABILITIES)
_CELLS = {State.GIVEN: "yes", State.DENIED: "-", State.INHERITED: "user's"}
"""How a state is shown; the others by their name."""
_NAME = 40


def render(audit: Audit) -> str:
    lines = [*_table(audit.entries), *_changes(audit.comparison), *_violations(audit), *_cycles(audit)]
    lines += [f"error: {describe_problem(problem)}" for problem in audit.errors]
    notes = (*audit.notes, *(audit.comparison.notes if audit.comparison is not None else ()))
    lines += [f"note: {escape(note, MESSAGE)}" for note in notes]
    lines += summary(audit)
    return "".join(f"{line}\n" for line in lines)


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    rows = [_row(reading) for entry in entries for reading in entry.readings if reading.loads]
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    if rows:
        yield _line(_HEAD, widths)
    for entry in entries:
        yield f"{escape_place(entry.path)}: {escape(entry.name, _NAME)} ({escape(entry.kind)})"
        if not entry.readings:
            yield "  no harness is known to read it"
        for reading in entry.readings:
            if not reading.loads:
                yield f"  {escape(reading.harness):<{widths[0]}}  does not load: {escape(reading.error, MESSAGE)}"
                continue
            yield _line(_row(reading), widths)
            yield from (f"    {escape(note, MESSAGE)}" for note in notes_of(reading))
        if entry.findings:
            yield f"    {_found(entry)}"
    if entries:
        yield ""


def _row(reading: Reading) -> tuple[str, ...]:
    states = (reading.grant(capability).state for capability in CAPABILITIES)
    return (escape(reading.harness), *(_CELLS.get(state, state.value) for state in states))


def _line(cells: Sequence[str], widths: Iterable[int]) -> str:
    return "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)).rstrip()


def _found(entry: Entry) -> str:
    names = dict.fromkeys(f"{remark.severity} {escape(remark.name)}" for remark in entry.findings)
    return f"{count(len(entry.findings), 'finding')}: {', '.join(names)}"


def _changes(comparison: Comparison | None) -> Iterator[str]:
    if comparison is None:
        return
    since = escape(comparison.since)
    if not comparison.changes:
        yield f"No agent can do more or less than at {since}."
    else:
        yield f"Changed since {since}:"
    for change in comparison.changes:
        yield f"  {escape(change.path)}: {escape(change.name, _NAME)} in {escape(change.harness)}: {change.what}"
        for shift in change.shifts:
            sign = "+" if shift.is_gain else "-"
            yield f"    {sign} {shift.name}: {escape(f'{shift.before} -> {shift.after}', MESSAGE)}"
    if gained := gains(comparison.changes):
        yield f"Gained: {', '.join(f'{name} {number:,}' for name, number in gained.items())}."
    yield ""


def _violations(audit: Audit) -> Iterator[str]:
    for violation in audit.violations:
        if not violation.known:
            yield f"{escape(violation.path)}:{violation.line}: forbidden: {escape(violation.message, MESSAGE)}"


def _cycles(audit: Audit) -> Iterator[str]:
    for cycle in audit.cycles:
        names = ", ".join(f"`{escape(name, _NAME)}`" for name in cycle.names)
        yield f"{escape(cycle.harness)}: {names} may call one another in a circle."
