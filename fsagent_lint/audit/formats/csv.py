"""The audit for spreadsheets: a row for each agent in each harness that reads it."""

from __future__ import annotations

import csv
import io

from fsagent_lint.audit.changes import describe
from fsagent_lint.audit.facts import CAPABILITIES, Audit, Entry, Reading
from fsagent_lint.report.escape import LONGEST_PATH, MESSAGE, escape

_COLUMNS = (
    *(
        "path",
        "name",
        "kind",
        "harness",
        "loads",
        "error",
        *CAPABILITIES,
        "unrestricted",
        "approved",
        "permission_mode",
    ),
    *("starts", "wider", "narrower", "calls", "reaches", "tools", "findings", "violations"),
)
_FORMULA = ("=", "+", "-", "@")


def render(audit: Audit) -> str:
    """Every cell is text that no spreadsheet takes for a formula."""
    output = io.StringIO(newline="")
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    broken: dict[tuple[str, str, str], list[str]] = {}
    for violation in audit.violations:
        broken.setdefault((violation.path, violation.name, violation.harness), []).append(violation.forbidden)
    for entry in audit.entries:
        for reading in entry.readings:
            forbidden = broken.get((entry.path, entry.name, reading.harness), [])
            writer.writerow(map(_cell, (*_row(entry, reading), ", ".join(forbidden))))
    return output.getvalue()


def _row(entry: Entry, reading: Reading) -> tuple[str, ...]:
    ways = (f"{capability} ({' > '.join(way)})" for capability, way in reading.reaches.items())
    return (
        *(entry.path, entry.name, entry.kind, reading.harness, "yes" if reading.loads else "no", reading.error),
        *(describe(reading.grant(capability)) if reading.loads else "" for capability in CAPABILITIES),
        "yes" if reading.unrestricted else "no",
        ", ".join(reading.approved),
        reading.permission_mode,
        ", ".join(reading.starts),
        ", ".join(reading.wider),
        ", ".join(reading.narrower),
        ", ".join(reading.calls),
        ", ".join(ways),
        ", ".join((*reading.tools, *reading.ask, *reading.conditional)),
        ", ".join(dict.fromkeys(remark.name for remark in entry.findings)),
    )


def _cell(text: str) -> str:
    shown = escape(text, max(MESSAGE, LONGEST_PATH))
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
