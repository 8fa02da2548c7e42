"""The audit as one page that needs nothing else: no network, no file beside it, no script or style that is not in it.

Text from files reaches it in two ways: through the template, which escapes everything, and as JSON, in which no character
is left that HTML would read. The script of the page makes text of it, never markup. The browser runs only what the hashes
in the page's policy name.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

from fsagent_lint import __version__
from fsagent_lint.audit.changes import gains
from fsagent_lint.audit.facts import CAPABILITIES, HARMFUL, MEANINGS, Audit, Change, Entry, Grant, Reading, Remark
from fsagent_lint.audit.policy import verb
from fsagent_lint.audit.words import count_harnesses, kinds
from fsagent_lint.report.escape import LONGEST_PATH, MESSAGE, NAME, escape

MOST_ROWS = 500
"""How many rows the lists beside the matrix have."""
_LONGEST_LINE = 400
_FOR_JSON = {ord(each): f"\\u{ord(each):04x}" for each in "<>&'"}


def render(audit: Audit) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    loader = PackageLoader("fsagent_lint.audit.formats", "page")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, script = (loader.get_source(environment, name)[0] for name in ("page.css", "page.js"))
    return (
        environment.get_template("page.html").render(
            audit=audit,
            totals=audit.totals(),
            kinds=kinds(audit) if audit.entries else "",
            harnesses=count_harnesses(audit),
            capabilities=[(each, verb(each)) for each in CAPABILITIES],
            harmful=HARMFUL,
            meanings=MEANINGS,
            findings=len(audit.all_findings),
            fresh=[each for each in audit.violations if not each.known],
            gained=gains(audit.comparison.changes) if audit.comparison is not None else {},
            most=MOST_ROWS,
            shown=_shown,
            index={entry.key: number for number, entry in enumerate(audit.entries)},
            version=__version__,
            # Our own files, which are no templates, and JSON without any character of markup.
            style=Markup(style),
            script=Markup(script),
            facts=Markup(_facts(audit)),
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
        + "\n"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode()}"


def _shown(text: str, limit: int = MESSAGE) -> str:
    """Text without characters that are invisible or turn the direction of other text."""
    return escape(text, limit)


class _Pool:
    """Values that occur often, each once; others refer to it by its number."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: object) -> int:
        key = json.dumps(value)
        found = self._numbers.setdefault(key, len(self.values))
        if found == len(self.values):
            self.values.append(value)
        return found


def _facts(audit: Audit) -> str:
    """All that the script shows, as JSON that can stand in HTML."""
    readings, texts = _Pool(), _Pool()
    changed: dict[tuple[str, str, str], list[Change]] = {}
    for change in audit.comparison.changes if audit.comparison is not None else ():
        changed.setdefault((change.path, change.kind, change.name), []).append(change)
    forbidden: dict[tuple[str, str, int], list[str]] = {}
    for violation in audit.violations:
        forbidden.setdefault((violation.path, violation.name, violation.line), []).append(_shown(violation.message))
    agents = [
        {
            **_agent(entry, texts),
            "readings": [readings.number(_reading(reading, texts)) for reading in entry.readings],
            "forbidden": forbidden.get((entry.path, entry.name, entry.line), []),
            "changes": [_change(change) for change in changed.get((entry.path, entry.kind, entry.name), [])],
        }
        for entry in audit.entries
    ]
    facts = {
        "agents": agents,
        "readings": readings.values,
        "texts": texts.values,
        "capabilities": CAPABILITIES,
        "harmful": HARMFUL,
        "verbs": {each: verb(each) for each in CAPABILITIES},
        "harnesses": audit.harnesses,
        "cycles": [{"harness": each.harness, "names": _names(each.names)} for each in audit.cycles],
    }
    return json.dumps(facts, separators=(",", ":")).translate(_FOR_JSON)


def _names(names: Iterable[str]) -> list[str]:
    return [_shown(name, NAME) for name in names]


def _agent(entry: Entry, texts: _Pool) -> dict[str, object]:
    return {
        "path": _shown(entry.path, LONGEST_PATH),
        "name": _shown(entry.name, NAME),
        "kind": entry.kind,
        "line": entry.line,
        "description": _shown(entry.description),
        "intended": _shown(entry.intended),
        "home": _shown(entry.home, LONGEST_PATH),
        "head": texts.number("\n".join(_shown(line, _LONGEST_LINE) for line in entry.head.split("\n")).strip("\n")),
        "findings": [_finding(remark, texts) for remark in entry.findings],
    }


def _finding(remark: Remark, texts: _Pool) -> list[object]:
    return [remark.severity, remark.code, remark.name, remark.line, texts.number(_shown(remark.message))]


def _reading(reading: Reading, texts: _Pool) -> dict[str, object]:
    facts: dict[str, object] = {"harness": reading.harness, "loads": reading.loads}
    if not reading.loads:
        return {**facts, "error": _shown(reading.error)}
    subagent = reading.subagent
    grants = [[each.state.value, texts.number(_names(each.tools)), _names(each.scopes)] for each in _grants(reading)]
    return facts | {
        "grants": grants,
        "unrestricted": reading.unrestricted,
        "knownAs": _shown(reading.known_as, NAME),
        "approved": _names(reading.approved),
        "mode": _shown(reading.permission_mode, NAME),
        "starts": _names(reading.starts),
        "wider": _names(reading.wider),
        "narrower": _names(reading.narrower),
        "calls": _names(reading.calls),
        "callable": subagent is not None and subagent.loads,
        "without": texts.number(_names(subagent.without)) if subagent is not None else texts.number([]),
        "private": _shown(subagent.error) if subagent is not None else "",
        "reaches": [[capability, _names(way)] for capability, way in reading.reaches.items()],
    }


def _grants(reading: Reading) -> Iterable[Grant]:
    return map(reading.grant, CAPABILITIES)


def _change(change: Change) -> list[object]:
    shifts = [[each.name, _shown(each.before), _shown(each.after), each.is_gain] for each in change.shifts]
    return [change.harness, change.what, shifts]
