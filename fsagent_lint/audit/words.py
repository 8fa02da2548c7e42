"""The sentences that all formats of an audit have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fsagent_lint.audit.facts import ANY, CAPABILITIES, Audit, Reading, State
from fsagent_lint.audit.policy import verb
from fsagent_lint.report.summary import count


def notes_of(reading: Reading) -> Iterator[str]:
    """What deserves a look in one harness, a line each."""
    for capability in CAPABILITIES:
        grant = reading.grant(capability)
        if grant.state is State.SCOPED:
            yield f"{capability} only for: {', '.join(grant.scopes)}"
    if reading.unrestricted:
        yield "unrestricted: every tool is granted"
    for words, names in (
        ("does not ask before", reading.approved),
        ("starts", reading.starts),
        ("wider than intended:", reading.wider),
        ("narrower than intended:", reading.narrower),
    ):
        if names:
            yield f"{words} {', '.join(names)}"
    if reading.permission_mode:
        yield f"permission mode {reading.permission_mode}"
    yield from ways(reading)


def ways(reading: Reading) -> Iterator[str]:
    """What it reaches through other agents."""
    by_way: dict[tuple[str, ...], list[str]] = {}
    for capability, way in reading.reaches.items():
        by_way.setdefault(way, []).append(capability)
    for way, capabilities in by_way.items():
        through = f", through {', '.join(f'`{name}`' for name in way[:-1])}" if len(way) > 1 else ""
        can = " and ".join(map(verb, capabilities))
        yield f"cannot {' or '.join(map(verb, capabilities))}, but may call `{way[-1]}`{through}, which can {can}"


def callees_in_words(reading: Reading) -> str:
    return "every agent, built-in ones included" if ANY in reading.calls else ", ".join(reading.calls)


def summary(audit: Audit) -> list[str]:
    """Totals for people, in a few lines."""
    totals = audit.totals()
    if not totals["agents"]:
        return [
            "No agents found where harnesses look (`fsagent-lint harnesses`). Pass files or folders to audit others."
        ]
    able = [f"{totals[each]:,} {verb(each)}" for each in CAPABILITIES if totals[each]]
    lines = [
        f"{kinds(audit)} in {count(totals['files'], 'file')}, read by {count_harnesses(audit)}.",
        f"In at least one of them: {', '.join(able) or 'no agent can do anything'}.",
    ]
    states = {
        "unrestricted": "unrestricted",
        "not_loaded": "not loaded by some harness",
        "wider": "wider than intended",
        "narrower": "narrower than intended",
        "through_others": "can do more through other agents",
    }
    if found := [f"{totals[name]:,} {words}" for name, words in states.items() if totals[name]]:
        lines.append(f"{', '.join(found)}.".capitalize())
    if fresh := [violation for violation in audit.violations if not violation.known]:
        lines.append(f"{count(len(fresh), 'violation')} of the policy{_known(audit)}.")
    elif audit.violations:
        lines.append(f"No new violation of the policy{_known(audit)}.")
    if audit.errors:
        lines.append(f"{count(len(audit.errors), 'file')} could not be processed.")
    return lines


_NOUNS = {"chatmode": "chat mode", "python": "Python call"}


def kinds(audit: Audit) -> str:
    """How many agents, skills and the like there are."""
    numbers = Counter(entry.kind for entry in audit.entries)
    parts = [count(number, _NOUNS.get(kind, kind)) for kind, number in sorted(numbers.items())]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def count_harnesses(audit: Audit) -> str:
    number = len(audit.harnesses)
    return f"{number} harness{'' if number == 1 else 'es'}"


def _known(audit: Audit) -> str:
    known = sum(violation.known for violation in audit.violations)
    return f"; {known:,} known" if known else ""
