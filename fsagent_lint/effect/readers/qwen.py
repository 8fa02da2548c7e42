"""Qwen Code's frontmatter: the `yaml` package, and a line-by-line parser for what that package rejects."""

from __future__ import annotations

import re
from itertools import pairwise

from fsagent_lint.effect.syntax import JS_BLANKS
from fsagent_lint.frontmatter.nodes import Map, ParseError
from fsagent_lint.frontmatter.parse import duplicates, is_undented, is_undented_flow, parse
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries


def load_qwen_yaml(text: str) -> dict[str, Value]:
    """Never fails: invalid YAML is read line by line. Nulls are dropped."""
    try:
        data = _parse_yaml(text)
    except ParseError:
        data = _parse_lines(text)
    cleaned: dict[str, Value] = _without_nulls(data)
    return cleaned


def _parse_yaml(text: str) -> dict[str, Value]:
    # The package accepts control characters; they have no meaning, so any other character can replace them.
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", "\u2423", text)
    root = parse(text + "\n")
    if not isinstance(root, Map):
        raise ParseError("not a map", 0)
    if next(duplicates(root), None):
        raise ParseError("a second key of one name", root.start)
    if any(is_undented(entry.value, text) or is_undented_flow(entry.value, text) for entry in root.entries):
        raise ParseError("a continued value must be indented", root.start)
    return evaluate_entries(root.entries, core, merge=False)


def _without_nulls(value: Value) -> Value:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value if each is not None]
    return value


def _parse_lines(text: str) -> dict[str, Value]:
    """`key: value`, and lists and maps indented by two spaces; the rest of a line is text, quoted or not."""
    lines = [line for line in text.split("\n") if line.strip(JS_BLANKS) and not line.strip(JS_BLANKS).startswith("#")]
    data: dict[str, Value] = {}
    key = ""  # of the list or map that is being read
    for line, after in pairwise([*lines, ""]):
        if line.startswith("  - "):
            items = data.setdefault(key, [])
            if isinstance(items, list):
                items.append(_scalar(line[4:]))
            continue
        if line.startswith("  ") and isinstance(data.get(key), dict):
            name, _, value = line.partition(":")
            data[key][name.strip(JS_BLANKS)] = _scalar(value)
            continue
        key = ""
        name, colon, value = line.partition(":")
        if value.strip(JS_BLANKS):
            data[name.strip(JS_BLANKS)] = _scalar(value)
        elif colon and after.startswith("  "):
            key = name.strip(JS_BLANKS)
            data[key] = [] if after.startswith("  - ") else {}
    return data


def _scalar(text: str) -> Value:
    text = text.strip(JS_BLANKS)
    if text in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[text]
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", text):
        return float(text)
    return text
