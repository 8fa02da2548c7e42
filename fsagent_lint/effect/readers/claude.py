"""How Claude Code reads frontmatter: leniently, repairing invalid YAML."""

from __future__ import annotations

import re

from fsagent_lint._fast import pattern
from fsagent_lint.effect.readers.reading import Reading
from fsagent_lint.effect.syntax import JS_BLANKS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, Map, ParseError
from fsagent_lint.frontmatter.parse import is_undented, is_undented_flow, parse
from fsagent_lint.frontmatter.values import Value, core, evaluate, evaluate_entries

# The frontmatter ends at the first `---` anywhere, even inside a line.
_CLAUDE_OPENING = pattern(rf"---[{JS_BLANKS}]*\n")
_CLAUDE_LINE = pattern(rf"([a-zA-Z_-]+):[{JS_BLANKS}]++([^\n\r\u2028\u2029]+)")
_CLAUDE_SPECIAL = pattern(r"[{}\[\]*&#!|>%@`]|: ")


def read_claude(document: Document) -> Reading:
    """YAML; failing that, YAML with every suspicious top-level value in quotes; failing that, nothing."""
    if document.is_simple and document.source.text.find("---", 4) == document.source.yaml.end:
        return Reading(evaluate_entries(document.entries, core))
    # A mark of the byte order at the start goes; a second one is text.
    return _read(document, 1 if document.source.text.startswith("\ufeff") else 0, nul_ends=False)


def read_claude_without_bom(document: Document) -> Reading:
    """The same, but nothing may stand before the fence, not even a byte order mark."""
    return _read(document, 0, nul_ends=False)


def read_claude_until_nul(document: Document) -> Reading:
    """The same, but nothing may stand before the fence, and a NUL character ends the YAML."""
    return _read(document, 0, nul_ends=True)


def _read(document: Document, start: int, *, nul_ends: bool) -> Reading:
    opening = _CLAUDE_OPENING.match(document.source.text, start)
    end = document.source.text.find("---", opening.end()) if opening is not None else -1
    if opening is None or end < 0:
        return Reading({})
    text = document.source.text[opening.end() : end]
    if "\0" in text:
        if not nul_ends:
            return Reading({})
        text = text.partition("\0")[0]
    if document.error is None and text == document.source.yaml_text and not document.root_is_not_map:
        if not _has_undented_value(document.entries, document.source.text):
            return Reading(evaluate_entries(document.entries, core))
    for attempt in (text, _claude_repair(text)):
        try:
            return Reading(_claude_yaml(attempt))
        except ParseError:
            continue
    return Reading({})


def _claude_yaml(text: str) -> dict[str, Value]:
    # Claude Code accepts control characters; they have no meaning, so any other character can replace them.
    text = re.sub("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", "\u2423", text)
    try:
        root = parse(text)
    except ParseError as error:
        if "document" in error.problem:
            return {}  # several documents are read as a list, which has no keys
        raise
    if not isinstance(root, Map):
        return {}
    if _has_undented_value(root.entries, text):
        raise ParseError("a continued value must be indented", root.start)
    return evaluate_entries(root.entries, core)


def _has_undented_value(entries: list[Entry], text: str) -> bool:
    return any(is_undented(entry.value, text) or is_undented_flow(entry.value, text) for entry in entries)


def _claude_repair(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        line = re.sub(r"^\t+", lambda tabs: "  " * len(tabs[0]), line)
        match = _CLAUDE_LINE.fullmatch(line)
        if match is not None and _needs_quotes(match[2]):
            escaped = match[2].replace("\\", "\\\\").replace('"', '\\"')
            line = f'{match[1]}: "{escaped}"'
        lines.append(line)
    return "\n".join(lines)


def _needs_quotes(value: str) -> bool:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return False
    if not _CLAUDE_SPECIAL.search(value):
        return False
    if value.startswith("[") and value.endswith("]"):
        try:
            return not isinstance(evaluate(parse(value), core), list)  # type: ignore[arg-type]
        except ParseError:
            return True
    return True
