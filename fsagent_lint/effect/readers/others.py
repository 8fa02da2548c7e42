"""How Copilot, VS Code, Roo Code, Gemini CLI, Qwen Code, Codex and Factory read frontmatter."""

from __future__ import annotations

import re

from fsagent_lint._fast import pattern
from fsagent_lint.effect.readers.js_yaml import load_js_yaml
from fsagent_lint.effect.readers.opencode import PREFIX_FENCE
from fsagent_lint.effect.readers.reading import Reading, read_core
from fsagent_lint.effect.syntax import JS_BLANKS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.lines import unify_newlines
from fsagent_lint.frontmatter.nodes import ParseError
from fsagent_lint.frontmatter.values import core, evaluate_entries, serde


def read_vscode(document: Document) -> Reading:
    """Errors are collected and reading goes on: nothing keeps a file from loading."""
    return Reading(evaluate_entries(document.entries, core))


def read_roo(document: Document) -> Reading:
    """Plain YAML 1.2 without merges; a key that comes twice keeps the file from loading."""
    reading = read_core(document)
    if reading.error:
        return reading
    if (duplicate := next(document.duplicates(), None)) is not None:
        return Reading({}, f"`{duplicate.name}` occurs twice")
    return Reading(evaluate_entries(document.entries, core, merge=False))


_COPILOT_OPENING = pattern(r"\ufeff?---[^\S\n]*\n")
_COPILOT_CLOSING = pattern(r"---(?<=\n---)[ \t]*(?:\r?\n|\Z)")


def read_copilot(document: Document) -> Reading:
    """libyaml as Rust's serde sees it: no second key of one name, no second document, a mapping or nothing."""
    if document.is_simple and next(document.duplicates(), None) is None:
        return Reading(evaluate_entries(document.entries, serde))
    opening = _COPILOT_OPENING.match(document.source.text)
    if opening is None or not _COPILOT_CLOSING.search(document.source.text, opening.end()):
        return Reading({}, "missing or malformed YAML frontmatter")
    if document.error is not None:
        return Reading({}, f"invalid YAML: {document.error.problem}")
    duplicate = next(document.duplicates(), None)
    if duplicate is not None:
        return Reading({}, f"duplicate entry with key `{duplicate.name}`")
    if document.root_is_not_map or not document.entries:
        return Reading({}, "the frontmatter is not a map")
    try:
        return Reading(evaluate_entries(document.entries, serde, tags=True, merge=False))
    except ParseError as error:
        return Reading({}, f"invalid YAML: {error.problem}")


def read_gemini(document: Document) -> Reading:
    """js-yaml 4, and a mapping; the fence is on the very first line, and closed by the next line that begins so."""
    found = PREFIX_FENCE.match(document.source.text)
    if found is None:
        return Reading({}, "the frontmatter is missing")
    try:
        value = load_js_yaml(found[1], version=4)
    except ParseError as error:
        return Reading({}, f"invalid YAML: {error.problem}")
    if not isinstance(value, dict):
        return Reading({}, "the frontmatter is not a map")
    after = document.source.whole[found.end() : found.end() + 2]
    return Reading(value, "" if after.startswith(("\n", "\r\n")) else "the prompt is missing")


_GEMINI_LINE = pattern(rf"[{JS_BLANKS}]*(name|description):(.*)")


def read_gemini_skill(document: Document) -> Reading:
    """js-yaml 4, if that finds a text for name and description; failing that, these two by their lines, as text."""
    found = PREFIX_FENCE.match(document.source.text)
    if found is None:
        return Reading({}, "the frontmatter is missing")
    try:
        value = load_js_yaml(found[1], version=4)
    except ParseError:
        value = None
    if isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("name", "description")):
        return Reading(value)
    lines = re.split(r"\r?\n", found[1])
    return Reading({match[1]: match[2].strip(JS_BLANKS) for match in map(_GEMINI_LINE.fullmatch, lines) if match})


_FACTORY_LINE = pattern(r"([A-Za-z][\w-]*):[ \t]*(.*)")


def read_factory(document: Document) -> Reading:
    """js-yaml 4; failing that, line by line, as text. Without a fence there is no frontmatter, and the prompt alone counts."""
    found = PREFIX_FENCE.match(document.source.whole)
    if found is None:
        return Reading({})
    try:
        value = load_js_yaml(found[1], version=4)
    except ParseError:
        lines = map(_FACTORY_LINE.fullmatch, re.split(r"\r?\n", found[1]))
        return Reading({match[1]: match[2].strip(JS_BLANKS) for match in lines if match})
    return Reading(value if isinstance(value, dict) else {})


def read_codex_skill(document: Document) -> Reading:
    """As Rust's serde reads it: no key comes twice, and nothing stands before the fence."""
    if document.source.whole.startswith("\ufeff"):
        return Reading({}, "the frontmatter is missing")
    return read_roo(document)


_QWEN_FENCE = pattern(r"---\n(.*?)\n---\n", re.DOTALL)


def read_qwen(document: Document) -> Reading:
    """Both fences are lines of their own, without blanks; what stands between them is read, whatever it is."""
    text = unify_newlines(document.source.whole.removeprefix("\ufeff"))
    found = _QWEN_FENCE.match(text)
    if found is None:
        return Reading({}, "the frontmatter is missing")
    from fsagent_lint.effect.readers.qwen import load_qwen_yaml

    return Reading(load_qwen_yaml(found[1]))
