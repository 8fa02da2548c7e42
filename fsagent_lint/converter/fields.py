"""Frontmatter fields by meaning: how one harness writes a setting, and how another one does."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.converter.server_fields import convert_servers
from fsagent_lint.effect.fields import field_problem
from fsagent_lint.frontmatter.values import Value, show_value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import COLORS, Field, Kind
from fsagent_lint.harnesses.model_names import write_model

# The default of every harness, so that leaving it out loses nothing.
_DEFAULTS: dict[str, Value] = {
    "mode": "all",
    "hidden": False,
    "user-invocable": True,
    "disable-model-invocation": False,
    "permission-mode": "default",
}
_INHERIT = "inherit"
_LONGEST_SHOWN = 60


class Slot(NamedTuple):
    """A setting of a file, independent of any harness."""

    meaning: str
    value: Value
    shown: str = ""
    """The field as a message shows it."""
    servers: str = ""
    """The shape of MCP servers."""


class Written(NamedTuple):
    """The fields that express a setting in another harness."""

    fields: dict[str, Value]
    lost: str = ""
    """What cannot be expressed, in words; empty if nothing is lost."""
    reason: str = "has no equivalent of"


def read_slot(name: str, value: Value, field: Field, harness: Harness) -> Slot | None:
    """A field's value, independent of its harness; None for a value without effect."""
    meaning = field.meaning
    if value is None or (meaning in _DEFAULTS and value == _DEFAULTS[meaning]):
        return None
    if meaning == "slug" or (field.default and value == field.default):
        return None  # the file name is the same, or the field says no more than nothing
    shown = _show(name, value)
    if meaning == "user-invocable":
        return Slot("hidden", not value, shown)
    if meaning == "disable-model-invocation":
        return Slot("mode", "primary", shown) if value else None
    if meaning == "model" and value in ("", _INHERIT, harness.models.inherit):
        return Slot("model", _INHERIT, shown)
    return Slot(meaning, value, shown, field.servers)


def _show(name: str, value: Value) -> str:
    if isinstance(value, (dict, list)) or len(str(value)) > _LONGEST_SHOWN or "\n" in str(value):
        return f"`{name}`"
    return f"`{name}: {show_value(value).strip('`')}`" if value != "" else f"`{name}`"


def write_slot(slot: Slot, source: Harness, target: Harness, kind: Kind) -> Written:
    """The fields that express a setting; none if no field is needed, or if there is no equivalent."""
    if kind.implies.get(slot.meaning) == slot.value:
        return Written({})
    text = slot.value if isinstance(slot.value, str) else ""
    if slot.meaning == "mode" and not kind.slot("mode"):
        wanted = {"primary": ("disable-model-invocation", True), "subagent": ("user-invocable", False)}
        meaning, value = wanted.get(text, ("", None))
        return _first_valid(slot, kind, [value], meaning)
    if slot.meaning == "hidden" and not kind.slot("hidden"):
        return _first_valid(slot, kind, [not slot.value], "user-invocable")
    if slot.meaning == "model":
        return _model(slot, target, kind)
    if slot.meaning == "mcp-servers":
        return _servers(slot, kind)
    is_foreign_agent = slot.meaning == "agent" and text in source.agents and text not in target.agents
    if slot.meaning == "hooks" or is_foreign_agent:  # events, matchers and actions are those of one harness
        return Written({}, slot.shown)
    return _first_valid(slot, kind, [slot.value, *_equivalents(slot, text)])


def _equivalents(slot: Slot, text: str) -> list[Value]:
    """Other ways to write a value."""
    if slot.meaning == "color":
        names = {code: name for name, code in COLORS.items()}
        return [COLORS.get(text.lower()), names.get(text.lower())]
    if slot.meaning == "argument-hint" and isinstance(slot.value, list):
        # `argument-hint: [file]` is a list to YAML, and a hint to its author.
        return [f"[{', '.join(map(str, slot.value))}]"]
    if slot.meaning == "skills" and text:
        return [[each.strip() for each in text.split(",") if each.strip()]]
    return []


def _first_valid(slot: Slot, kind: Kind, values: list[Value], meaning: str = "") -> Written:
    """The first value that the target's field accepts."""
    name = kind.slot(meaning or slot.meaning)
    for value in values:
        if name and value is not None and not field_problem({name: value}, name, kind.fields[name]):
            return Written({name: value})
    return Written({}, slot.shown)


def _model(slot: Slot, target: Harness, kind: Kind) -> Written:
    """The model by the target's name for it; of several ones, the first where the target takes only one."""
    name = kind.slot("model")
    if slot.value == _INHERIT:
        word = target.models.inherit
        return Written({name: word} if name and word else {})
    wanted = slot.value if isinstance(slot.value, list) else [slot.value]
    found = {str(each): write_model(str(each), target.models) for each in wanted}
    written = [each for each in found.values() if each is not None]
    if not name or not written:
        return Written({}, slot.shown)
    takes_list = isinstance(slot.value, list) and "list" in kind.fields[name].type
    kept = written if takes_list else written[:1]
    unknown = [each for each, model in found.items() if model is None]
    lost = unknown or [each for each, model in found.items() if model not in kept]
    reason = "has no equivalent of" if unknown else "only supports one model, without"
    return Written({name: kept if takes_list else kept[0]}, ", ".join(f"`model: {each}`" for each in lost), reason)


def _servers(slot: Slot, kind: Kind) -> Written:
    name = kind.slot("mcp-servers")
    shape = kind.fields[name].servers if name else ""
    servers, lost = convert_servers(slot.value, slot.servers, shape)
    if not servers or not shape or field_problem({name: servers}, name, kind.fields[name]):
        return Written({}, slot.shown)
    field = slot.shown.strip("`")
    return Written({name: servers}, ", ".join(f"`{field}: {server}`" for server in lost))
