"""Writing plain values as YAML or TOML that every reader reads back as the same values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.values import Value

_NON_FINITE = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}
_TEXT = "tag:yaml.org,2002:str"


def field_text(key: str, value: Value, newline: str) -> str:
    """A field of a frontmatter, on one line unless it is a map, or a list that holds more than scalars."""
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value)):
        return newline.join(to_yaml({key: value}, indented=True).removesuffix("\n").split("\n"))
    if isinstance(value, list):
        items = ", ".join(_scalar(each, '"') for each in value)
        return f"{quote(key)}: [{items}]"
    return f"{quote(key)}: {_scalar(value)}"


def _scalar(value: Value, style: str = "") -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return quote(value, style) if isinstance(value, str) else _NON_FINITE.get(str(value), str(value))


def to_yaml(value: Mapping[str, Any], *, indented: bool = False) -> str:
    """YAML text; multi-line strings are blocks if they are read back unchanged, otherwise quoted.

    `indented`: lists are indented below their key.
    """
    from io import StringIO

    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    def dump(data: Any) -> str:
        stream, yaml = StringIO(), YAML()
        yaml.width = 4096
        if indented:
            yaml.indent(mapping=2, sequence=4, offset=2)
        yaml.dump(data, stream)
        return stream.getvalue()

    text = dump(_styled(value, blocks=True))
    try:
        same = YAML(typ="safe", pure=True).load(text) == value
    except YAMLError:
        same = False
    return text if same else dump(_styled(value, blocks=False))


def _styled(value: Any, *, blocks: bool) -> Any:
    """Quotes `yes` and `1:30`, because YAML 1.1 readers do not read them as text."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString
    from yaml import ScalarNode
    from yaml.resolver import Resolver

    def styled(each: Any) -> Any:
        if isinstance(each, Mapping):
            return {styled(key): styled(item) for key, item in each.items()}
        if isinstance(each, list):
            return [styled(item) for item in each]
        if not isinstance(each, str):
            return each
        if "\n" in each and blocks:
            return LiteralScalarString(each)
        if not each.isprintable():  # includes line separators, which only this style preserves
            return DoubleQuotedScalarString(each)
        return each if resolve(ScalarNode, each, (True, False)) == _TEXT else SingleQuotedScalarString(each)

    resolve: Callable[..., str] = Resolver().resolve
    return styled(value)


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
# Must be escaped in every string. A carriage return is allowed, but readers turn it into a line feed.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def to_toml(values: Mapping[str, Value]) -> str:
    """A top-level table: one line for each key, except for multi-line strings."""
    return "".join(f"{_key(key)} = {_value(value, lines=True)}\n" for key, value in values.items() if value is not None)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _value(value: Value, *, lines: bool = False) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _block(value) if lines and "\n" in value else _quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value if item is not None)}]"
    if isinstance(value, dict):
        entries = (f"{_key(key)} = {_value(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(entries)} }}"
    return str(value)


def _quoted(text: str) -> str:
    return f'"{_escaped(text, _ESCAPES)}"'


def _block(text: str) -> str:
    """A multi-line string; literal where possible, so that backslashes need no escape."""
    if "\\" in text and "'''" not in text and not text.endswith("'") and not _CONTROL.search(text):
        return f"'''\n{text}'''"
    kept = {char: escape for char, escape in _ESCAPES.items() if char not in '"\n\t'}
    inner = re.sub(r'"{3,}|"+\Z', lambda run: '\\"' * len(run[0]), _escaped(text, kept))
    return f'"""\n{inner}"""'


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    named = "".join(escapes.get(char, char) for char in text)
    return _CONTROL.sub(lambda char: f"\\u{ord(char[0]):04X}", named)
