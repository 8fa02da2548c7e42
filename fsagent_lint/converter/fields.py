"""Frontmatter fields by meaning: how one harness writes a setting, and how another one does."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect.fields import field_problem
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import COLORS, Kind

# The default of every harness, so that leaving it out loses nothing.
_DEFAULTS: dict[str, Value] = {
    "model": "inherit",
    "mode": "all",
    "hidden": False,
    "user-invocable": True,
    "disable-model-invocation": False,
    "permission-mode": "default",
}


class Slot(NamedTuple):
    """A setting of a file, independent of any harness."""

    meaning: str
    value: Value


def read_slot(meaning: str, value: Value, harness: Harness) -> Slot | None:
    """A field's value, independent of its harness; None for a value without effect."""
    if meaning in _DEFAULTS and value == _DEFAULTS[meaning]:
        return None
    if meaning == "slug":
        return None  # the file name is the same
    if meaning == "user-invocable":
        return Slot("hidden", not value)
    if meaning == "disable-model-invocation":
        return Slot("mode", "primary") if value else None
    if meaning == "model":
        return Slot("model", _family(value, harness) or value)
    if meaning == "color" and isinstance(value, str):
        return Slot("color", COLORS.get(value.lower(), value.lower()))
    return Slot(meaning, value)


def write_slot(slot: Slot, harness: Harness, kind: Kind) -> dict[str, Value] | None:
    """The fields that express a setting; None if the harness has no equivalent, empty if no field is needed."""
    if kind.implies.get(slot.meaning) == slot.value:
        return {}
    text = slot.value if isinstance(slot.value, str) else ""
    if slot.meaning == "mode" and not kind.slot("mode"):
        wanted = {"primary": ("disable-model-invocation", True), "subagent": ("user-invocable", False)}
        meaning, value = wanted.get(text, ("", None))
        return _field(kind, meaning, value)
    if slot.meaning == "hidden" and not kind.slot("hidden"):
        return _field(kind, "user-invocable", not slot.value)
    if slot.meaning == "model":
        return _field(kind, "model", _model(slot.value, harness))
    if slot.meaning == "color":
        names = {code: name for name, code in COLORS.items()}
        return _field(kind, "color", slot.value) or _field(kind, "color", names.get(text))
    if slot.meaning == "mcp-servers":
        return None  # harnesses write servers in different shapes
    return _field(kind, slot.meaning, slot.value)


def _field(kind: Kind, meaning: str, value: Value) -> dict[str, Value] | None:
    name = kind.slot(meaning) if meaning else ""
    if not name or value is None or field_problem({name: value}, name, kind.fields[name]):
        return None
    return {name: value}


def _family(value: Value, harness: Harness) -> str:
    """opus, sonnet or haiku, if the table names the model."""
    return next((family for family, name in harness.models.items() if name == value), "")


def _model(value: Value, harness: Harness) -> Value:
    """The harness's name for a model family; None for any other model: never a guess."""
    return harness.models.get(value) if isinstance(value, str) else None
