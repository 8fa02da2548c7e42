"""The schema of the frontmatter of one kind of file of a harness."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.describe import ROLES, field_meaning, field_notes, key_notes
from fsagent_lint.harnesses.formats import FORMATS
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Field, Key
from fsagent_lint.model.policy import Action
from fsagent_lint.project.tool_registry import Registry
from fsagent_lint.schemas.records import DIALECT, Schema

_TYPES: dict[str, Schema] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "positive": {"type": "integer", "minimum": 1},
    "list": {"type": "array"},
    "map": {"type": "object"},
    "null": {"type": "null"},
}
_ACTION: Schema = {"enum": [action.value for action in Action]}
_BY_PATTERN: Schema = {"type": "object", "additionalProperties": _ACTION}


def frontmatter_schema(harness: Harness, kind_name: str) -> Schema:
    kind = harness.kinds[kind_name]
    names = _names(harness)
    properties = {name: _key(key, names) for name, key in kind.keys.items()}
    properties |= {name: _field(field) for name, field in kind.fields.items() if name not in properties}
    required = [name for name, field in kind.fields.items() if field.required]
    required += [name for name, key in kind.keys.items() if key.required]
    title = f"{harness.title}: {kind_name}"
    schema: Schema = {"$schema": DIALECT, "title": title, "type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if kind.unknown_fields in ("refused", "forbidden"):
        schema["additionalProperties"] = False
    return schema


def _names(harness: Harness) -> dict[str, str]:
    """The names of tools that a file may list, with what they do."""
    found = Registry().names_for(harness)
    return {name: " ".join(filter(None, (each.description for each in tools))) for name, tools in found.items()}


def _described(schema: Schema, *texts: str) -> Schema:
    """With sentences for people."""
    sentences = [f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in texts if text]
    return {"description": " ".join(sentences), **schema} if sentences else schema


def _field(field: Field) -> Schema:
    options = list(_options(field))
    schema: Schema = {} if not options else options[0] if len(options) == 1 else {"anyOf": options}
    if field.default:
        schema = {**schema, "default": field.default}
    if field.instead:
        schema = {**schema, "deprecated": True}
    return _described(schema, field_meaning(field), *field_notes(field))


def _options(field: Field) -> Iterator[Schema]:
    """What the field may be, one by one; nothing: anything."""
    for name in field.type if "any" not in field.type else ():
        if name != "string":
            yield _TYPES[name]
            continue
        length = {"maxLength": field.max_length} if field.max_length else {}
        if field.values:
            yield {"enum": list(field.values)}
        pattern = FORMATS[field.format].pattern.pattern if field.format else ""
        if pattern and "(?" not in pattern:  # JSON Schema has no flags
            yield {"type": "string", "pattern": f"^(?:{pattern})$", **length}
        elif field.format or not field.values:
            yield {"type": "string", **length}


def _key(key: Key, names: dict[str, str]) -> Schema:
    forms = [schema for form in key.forms for schema in _form(form, key, names)]
    if key.nulls == "ignored":
        forms.append({"type": "null"})
    schema: Schema = forms[0] if len(forms) == 1 else {"anyOf": forms}
    if key.instead:
        schema = {**schema, "deprecated": True}
    return _described(schema, ROLES[key.role], *key_notes(key))


def _form(form: str, key: Key, names: dict[str, str]) -> Iterator[Schema]:
    name: Schema = {"anyOf": [{"enum": [*names, *key.also]}, {"type": "string"}]}
    if form == "list":
        yield {"type": "array", "items": {"anyOf": [*name["anyOf"], {"type": "array"}]} if key.option else name}
    elif form == "map":
        yield {"type": "object", "properties": _entries(names, {"type": "boolean"}), "additionalProperties": True}
    elif form == "permission":
        yield {
            "type": "object",
            "properties": _entries(names, {"anyOf": [_ACTION, _BY_PATTERN]}),
            "additionalProperties": {"anyOf": [_ACTION, _BY_PATTERN]},
        }
        yield _ACTION
    elif form == "preset":
        yield {"enum": [*key.presets]}
    else:
        yield {"type": "string"}


def _entries(names: dict[str, str], value: Schema) -> dict[str, Schema]:
    return {name: {"description": text, **value} if text else value for name, text in names.items()}
