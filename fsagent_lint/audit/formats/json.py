"""The audit for programs: version 1, an agent per line; and such a report read again, to compare with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from fsagent_lint.audit.changes import gains
from fsagent_lint.audit.facts import (
    CAPABILITIES,
    Audit,
    Change,
    Comparison,
    Entry,
    Grant,
    Reading,
    Remark,
    State,
    Violation,
)
from fsagent_lint.model.finding import Severity
from fsagent_lint.report.escape import MESSAGE, escape, exact
from fsagent_lint.report.json import Json, encode, encode_lines

VERSION = 1


class ReportError(Exception):
    """Why a report cannot be read."""


def render(audit: Audit) -> str:
    """`changes` is null without a comparison. Paths and names are exact; messages are shortened and escaped."""
    parts = {
        "agents": encode_lines(map(_entry, audit.entries)),
        "findings": encode_lines(map(_remark, audit.findings)),
        "violations": encode_lines(map(_violation, audit.violations)),
        "cycles": encode_lines({"harness": cycle.harness, "agents": _texts(cycle.names)} for cycle in audit.cycles),
        "changes": _comparison(audit.comparison) if audit.comparison is not None else "null",
        "errors": encode_lines(
            {"path": exact(problem.path), "message": escape(problem.message, MESSAGE)} for problem in audit.errors
        ),
        "notes": encode([escape(note, MESSAGE) for note in audit.notes]),
        "summary": encode(audit.totals()),
    }
    lines = "".join(f',\n "{name}": {text}' for name, text in parts.items())
    return f'{{"version": {VERSION}{lines}}}\n'


def _texts(texts: Iterable[str]) -> list[str]:
    return [exact(text) for text in texts]


def _entry(entry: Entry) -> Json:
    return {
        "path": exact(entry.path),
        "name": exact(entry.name),
        "kind": entry.kind,
        "line": entry.line,
        "description": exact(entry.description),
        "intended": exact(entry.intended),
        "harnesses": {reading.harness: _reading(reading) for reading in entry.readings},
        "findings": [_remark(remark) for remark in entry.findings],
    }


def _reading(reading: Reading) -> Json:
    facts: Json = {
        "title": reading.title,
        "owner": reading.owner or None,
        "loads": reading.loads,
        "error": exact(reading.error) or None,
    }
    if not reading.loads:
        return facts
    subagent = reading.subagent
    return facts | {
        "known_as": exact(reading.known_as) or None,
        "capabilities": {name: _grant(grant) for name, grant in reading.grants.items()},
        "unrestricted": reading.unrestricted,
        "tools": _texts(reading.tools),
        "ask": _texts(reading.ask),
        "conditional": _texts(reading.conditional),
        "mcp": _texts(reading.mcp),
        "approved": _texts(reading.approved),
        "permission_mode": exact(reading.permission_mode) or None,
        "starts": _texts(reading.starts),
        "wider": _texts(reading.wider),
        "narrower": _texts(reading.narrower),
        "subagent": None
        if subagent is None
        else {"loads": subagent.loads, "error": exact(subagent.error) or None, "without": _texts(subagent.without)},
        "calls": _texts(reading.calls),
        "reaches": {capability: _texts(way) for capability, way in reading.reaches.items()},
    }


def _grant(grant: Grant) -> Json:
    return {"state": grant.state.value, "tools": _texts(grant.tools), "scopes": _texts(grant.scopes)}


def _remark(remark: Remark) -> Json:
    shown = {"path": exact(remark.path), "message": escape(remark.message, MESSAGE)}
    return {**remark._asdict(), **shown}


def _violation(violation: Violation) -> Json:
    shown = {
        "path": exact(violation.path),
        "name": exact(violation.name),
        "message": escape(violation.message, MESSAGE),
    }
    return {**violation._asdict(), **shown}


def _comparison(comparison: Comparison) -> str:
    facts = {
        "since": encode(exact(comparison.since)),
        "agents": encode_lines(map(_change, comparison.changes)),
        "gained": encode(gains(comparison.changes)),
        "findings": encode_lines(map(_remark, comparison.fresh)),
        "notes": encode([escape(note, MESSAGE) for note in comparison.notes]),
    }
    return "{" + ",\n  ".join(f'"{name}": {text}' for name, text in facts.items()) + "}"


def _change(change: Change) -> Json:
    shifts = [
        {**shift._asdict(), "before": exact(shift.before), "after": exact(shift.after)} for shift in change.shifts
    ]
    shown = {"path": exact(change.path), "name": exact(change.name), "shifts": shifts}
    return {**change._asdict(), **shown}


def decode(data: bytes) -> tuple[list[Entry], list[Remark]]:
    """The agents of a report and all of its findings, as far as a comparison needs them."""
    try:
        report = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReportError(f"invalid JSON: {error}") from None
    version = _of(report, "version", int)
    if version != VERSION:
        raise ReportError(f"version {version}, expected {VERSION}; write it with this version of fsagent-lint")
    entries = [_read_entry(each) for each in _of(report, "agents", list)]
    findings = [_read_remark(each) for each in _of(report, "findings", list)]
    return entries, [*findings, *(remark for entry in entries for remark in entry.findings)]


def _read_entry(data: object) -> Entry:
    path, name, kind = (_of(data, key, str) for key in ("path", "name", "kind"))
    readings = tuple(_read_reading(id, each) for id, each in _of(data, "harnesses", dict).items())
    findings = tuple(_read_remark(each) for each in _of(data, "findings", list))
    line = _of(data, "line", int)
    return Entry(path, name, kind, line, line, "", "", "", "", readings, findings)


def _read_reading(harness: str, data: object) -> Reading:
    title, loads = _of(data, "title", str), _of(data, "loads", bool)
    if not loads:
        return Reading(harness, title, "", loads=False)
    grants, reaches = _of(data, "capabilities", dict), _of(data, "reaches", dict)
    return Reading(
        harness,
        title,
        "",
        loads=True,
        grants={name: _read_grant(grants.get(name)) for name in CAPABILITIES},
        unrestricted=_of(data, "unrestricted", bool),
        reaches={str(name): _read_texts(reaches, name) for name in reaches},
    )


def _read_grant(data: object) -> Grant:
    state = _of(data, "state", str)
    if state not in set(State):
        raise ReportError(f"{state!r} is not the state of a capability")
    return Grant(State(state), _read_texts(data, "tools"), _read_texts(data, "scopes"))


def _read_texts(data: object, key: str) -> tuple[str, ...]:
    texts = _of(data, key, list)
    if not all(isinstance(text, str) for text in texts):
        raise ReportError(f"`{key}` is not a list of texts")
    return tuple(texts)


def _read_remark(data: object) -> Remark:
    path, code, name, harness, message = (_of(data, key, str) for key in ("path", "code", "name", "harness", "message"))
    severity: Severity = _of(data, "severity", str)
    if severity not in get_args(Severity):
        raise ReportError(f"{severity!r} is not a severity")
    return Remark(path, _of(data, "line", int), code, name, severity, harness, message)


def _of(data: object, key: str, wanted: type) -> Any:
    if not isinstance(data, Mapping) or not isinstance(data.get(key), wanted):
        raise ReportError(f"`{key}` is missing or has the wrong type")
    return data[key]
