"""Does a field's value fit what its harness accepts?"""

from __future__ import annotations

from fsagent_lint.effect.field_checks import CHECKS
from fsagent_lint.frontmatter.nodes import Node, Scalar
from fsagent_lint.frontmatter.values import Value, show_value, type_name
from fsagent_lint.harnesses.formats import FORMATS, fits
from fsagent_lint.harnesses.kind import Field

_TYPE_PHRASES = {
    "string": "text",
    "boolean": "true or false",
    "number": "a number",
    "integer": "a whole number",
    "positive": "a whole number above zero",
    "list": "a list",
    "map": "a map",
    "null": "nothing",
}
TYPES = (*_TYPE_PHRASES, "any")


def field_problem(data: dict[str, Value], key: str, field: Field) -> str:
    """What is wrong with a field, in words; empty if nothing is."""
    if key not in data:
        return f"`{key}` is missing" if field.required else ""
    value = data[key]
    found = type_name(value)
    if "any" not in field.type and not _fits(value, found, field.type):
        wanted = [_TYPE_PHRASES[kind] for kind in field.type if kind != "integer" or "number" not in field.type]
        text = "the text " if isinstance(value, str) and value else ""
        return f"`{key}` must be {' or '.join(wanted)}, not {text}{show_value(value)}"
    if field.required and value == "" and not field.may_be_empty:
        return f"`{key}` is empty"
    if field.check and (problem := CHECKS[field.check](value)):
        return f"`{key}`: {problem}"
    if field.max_length and found == "string" and len(value) > field.max_length:
        return f"`{key}` has {len(value):,} characters, but at most {field.max_length:,} are allowed"
    if found != "string" or not (field.values or field.format):
        return ""
    if value in field.values or (value == "" and field.may_be_empty) or (field.format and fits(value, field.format)):
        return ""
    return f"`{key}` must be {_choices(field)}, not {show_value(value)}"


def _fits(value: Value, found: str, types: tuple[str, ...]) -> bool:
    if found in ("integer", "number"):
        if "positive" in types and 0 < value < 2**53 and value == value // 1:
            return True
        return found in types or ("number" in types and found == "integer")
    return found in types or (found == "date" and "map" in types)


def _choices(field: Field) -> str:
    values = ", ".join(f"`{value}`" for value in field.values)
    if not field.format:
        return f"one of {values}"
    words = FORMATS[field.format].words
    return f"one of {values}, or {words}" if values else words


def is_empty(node: Node, field: Field) -> bool:
    """Is the value of a required field empty?"""
    if not isinstance(node, Scalar):
        return False
    return node.value in ("", "~", "null") and not (node.style and field.may_be_empty)
