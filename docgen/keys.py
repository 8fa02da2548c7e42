"""The section of a harness's page about tool keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docgen.markdown import bullets, code, codes, table
from docgen.shared_facts import shared_facts
from fsagent_lint.effect.describe import ROLES, key_notes
from fsagent_lint.harnesses.kind import Key, Kind

_SCOPES = {
    "honoured": "honoured",
    "ignored": "read as `Tool`",
    "dropped": "the entry is dropped",
}


def key_section(kinds: Mapping[str, Kind]) -> Iterator[str]:
    keys = shared_facts({name: kind.keys for name, kind in kinds.items()})
    if keys:
        head = ["key", "in", "lists", "forms", "example", "`Tool(scope)`"]
        yield f"## Tool keys\n\n{table(head, [_key_row(*each) for each in keys])}"
        yield bullets(_readings(keys))
    if wrong := list(_wrong_rows(kinds)):
        yield f"It does not read these keys, which are often written:\n\n{table(['key', 'in', 'use instead'], wrong)}"


def _key_row(names: str, key: str, facts: Key) -> tuple[str, ...]:
    role = ROLES[facts.role] + (f"; deprecated, use {code(facts.instead)}" if facts.instead else "")
    scopes = _SCOPES[facts.scopes] if facts.role not in ("switch", "permission") else "not supported"
    if facts.prefixes:
        scopes += ", as a prefix"
    if facts.literal:
        scopes = f"patterns under the tool; {codes(facts.literal)} is read literally"
    if facts.scoped:
        scopes += f", but honoured for {codes(facts.scoped)}"
    return code(key), names, role, codes(facts.forms), code(_sample(facts)), scopes


def _sample(facts: Key) -> str:
    """Two entries in the form that people write."""
    mark = {"": "", "single": "'", "double": '"'}[facts.quotes]
    in_list = f"[{mark}a{mark}, {mark}b{mark}]" if facts.layout == "flow" else "- a"
    samples = {"csv": "a, b", "space-separated": "a b", "list": in_list, "map": "a: true", "permission": "a: allow"}
    return samples.get(facts.forms[0], next(iter(facts.presets), ""))


def _readings(keys: list[tuple[str, str, Key]]) -> Iterator[str]:
    """How values are read; keys that are read in the same way share a line."""
    same: dict[str, dict[str, None]] = {}
    for _, key, facts in keys:
        for how in key_notes(facts):
            same.setdefault(how, {})[key] = None
    return (f"{codes(keys)}: {how}" for how, keys in same.items())


def _wrong_rows(kinds: Mapping[str, Kind]) -> Iterator[tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for names, key, facts in shared_facts({name: kind.wrong_keys for name, kind in kinds.items()}):
        found.setdefault((names, facts.use), []).append(key)
    for (names, use), keys in found.items():
        yield codes(keys), names, code(use) if use else "none: there is no equivalent key"
