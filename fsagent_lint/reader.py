"""How each harness reads frontmatter: the named readers that tables refer to.

Every reader stands on libyaml's view of the text; what a harness does otherwise is said here, and only here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fsagent_lint.document import Document
from fsagent_lint.jsyaml import load_js_yaml
from fsagent_lint.named import NamedTuple
from fsagent_lint.nodes import Entry, Map, ParseError
from fsagent_lint.parse import is_undented, is_undented_flow, parse
from fsagent_lint.pattern import pattern
from fsagent_lint.source import BOM
from fsagent_lint.syntax import JS_BLANKS
from fsagent_lint.values import Value, core, evaluate, evaluate_entries, js_yaml, serde


class Reading(NamedTuple):
    """The settings that a harness takes from a file, or why it does not load it."""

    data: dict[str, Value]
    error: str = ""


def read_core(document: Document) -> Reading:
    """Plain YAML 1.2, as the standard has it."""
    if document.source.problem not in (None, "missing"):
        return Reading({}, f"the frontmatter is {document.source.problem}")
    if document.error is not None:
        return Reading({}, f"invalid YAML: {document.error.problem}")
    return Reading(evaluate_entries(document.entries, core))


def read_vscode(document: Document) -> Reading:
    """Errors are collected and reading goes on: nothing keeps a file from loading."""
    return Reading(evaluate_entries(document.entries, core))


# --------------------------------------------------------------------------------------------------- Roo Code


def read_roo(document: Document) -> Reading:
    """Plain YAML 1.2 without merges; a key that comes twice keeps the file from loading."""
    reading = read_core(document)
    if reading.error:
        return reading
    if (again := next(document.duplicates(), None)) is not None:
        return Reading({}, f"`{again.name}` is there twice")
    return Reading(evaluate_entries(document.entries, core, merge=False))


def read_matter(document: Document) -> Reading:
    """js-yaml, as gray-matter uses it; what it cannot read counts as no frontmatter at all."""
    text = document.source.text.removeprefix("\ufeff") if document.source.problem != "missing" else ""
    try:
        return Reading(_opencode_matter(text, document))
    except ParseError:
        return Reading({})


# ------------------------------------------------------------------------------------------------- Claude Code

# The frontmatter ends at the first `---` anywhere, even inside a line.
_CLAUDE_OPENING = pattern(rf"---[{JS_BLANKS}]*\n")
_CLAUDE_LINE = pattern(rf"([a-zA-Z_-]+):[{JS_BLANKS}]++([^\n\r\u2028\u2029]+)")
_CLAUDE_SPECIAL = pattern(r"[{}\[\]*&#!|>%@`]|: ")


def read_claude(document: Document) -> Reading:
    """YAML; failing that, YAML with every suspicious top-level value in quotes; failing that, nothing."""
    if document.is_simple and document.source.text.find("---", 4) == document.source.yaml.end:
        return Reading(evaluate_entries(document.entries, core))
    opening = _CLAUDE_OPENING.match(document.source.text)
    end = document.source.text.find("---", opening.end()) if opening is not None else -1
    if opening is None or end < 0:
        return Reading({})
    text = document.source.text[opening.end() : end]
    if document.error is None and text == document.source.yaml_text and not document.odd_root:
        if not _is_claude_error(document.entries, document.source.text):
            return Reading(evaluate_entries(document.entries, core))
    for attempt in (text, _claude_repair(text)):
        try:
            return Reading(_claude_yaml(attempt))
        except ParseError:
            continue
    return Reading({})


def _claude_yaml(text: str) -> dict[str, Value]:
    # Control characters are ordinary to it; they decide nothing, so any other character will do.
    text = re.sub(
        "[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", "\u2423", text.partition("\0")[0]
    )
    try:
        root = parse(text)
    except ParseError as error:
        if "document" in error.problem:
            return {}  # several documents are a list, and a list has no keys
        raise
    if not isinstance(root, Map):
        return {}
    if _is_claude_error(root.entries, text):
        raise ParseError("a continued value must be indented", root.start)
    return evaluate_entries(root.entries, core)


def _is_claude_error(entries: list[Entry], text: str) -> bool:
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


# ---------------------------------------------------------------------------------------------------- OpenCode

_PREFIX_FENCE = pattern(r"---\r?\n(.*?)\r?\n---", re.DOTALL)
_OPENCODE_LINE = pattern(rf"([a-zA-Z_][a-zA-Z0-9_]*)[{JS_BLANKS}]*:[{JS_BLANKS}]*+([^\n\r\u2028\u2029]*)")


def read_opencode(document: Document) -> Reading:
    """js-yaml; failing that, the same with colons put into blocks.

    A text that fails and that this does not change counts as read already, with no settings: every tool is on.
    """
    return _read_repaired(document, lambda key, value: f"{key}: |-\n  {value}")


def read_kilo(document: Document) -> Reading:
    """OpenCode's way, but the repair puts values into quotes."""

    def quoted(key: str, value: str) -> str:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'{key}: "{escaped}"'

    return _read_repaired(document, quoted)


def _read_repaired(document: Document, repair: Callable[[str, str], str]) -> Reading:
    if document.is_simple and next(document.duplicates(), None) is None:
        return Reading(evaluate_entries(document.entries, js_yaml))
    text = document.source.text.removeprefix("\ufeff") if document.source.problem != "missing" else ""
    try:
        return Reading(_opencode_matter(text, document))
    except ParseError:
        repaired = text if document.source.data.startswith(BOM) else _opencode_repair(text, repair)
    if repaired == text:
        return Reading({})
    try:
        return Reading(_opencode_matter(repaired))
    except ParseError as error:
        return Reading({}, f"invalid YAML: {error.problem}")


def _opencode_matter(text: str, read: Document | None = None) -> dict[str, Value]:
    """`read`: the same text with its nodes, which need not be read again."""
    if not text.startswith("---") or text[3:4] == "-":
        return {}
    language, _, rest = text[3:].partition("\n")
    block = rest if (close := f"\n{rest}".find("\n---")) < 0 else f"\n{rest}"[1 : max(close, 1)]
    if not re.sub(r"(?m)^[^\S\n]*#[^\n]+", "", block).strip():
        return {}
    value = _opencode_value(language.strip(), block, read)
    if isinstance(value, (list, str)):
        return {str(number): item for number, item in enumerate(value)}
    return value if isinstance(value, dict) else {}


def _opencode_value(language: str, block: str, read: Document | None) -> Value:
    if language.lower() in ("", "yaml", "yml"):
        if read is not None and read.root is not None and read.source.yaml_text == f"{block}\n":
            return load_js_yaml(block, (read.root, read.source.text))
        return load_js_yaml(block)
    if language == "json":
        import json

        try:
            return json.loads(block)
        except (ValueError, RecursionError) as error:
            raise ParseError(str(error), 0) from None
    raise ParseError(f"`{language}` is not YAML", 0)


def _opencode_repair(text: str, repair: Callable[[str, str], str]) -> str:
    found = _PREFIX_FENCE.match(text)
    if found is None:
        return text
    lines: list[str] = []
    for line in re.split(r"\r?\n", found[1]):
        entry = _OPENCODE_LINE.fullmatch(line)
        value = entry[2].strip(JS_BLANKS) if entry else ""
        if entry is None or value in ("", ">", "|") or value[0] in "\"'" or ":" not in value:
            lines.append(line)
        else:
            lines.append(repair(entry[1], value))
    return text.replace(found[1], "\n".join(lines), 1)


# ----------------------------------------------------------------------------------------------------- Copilot

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
    again = next(document.duplicates(), None)
    if again is not None:
        return Reading({}, f"duplicate entry with key `{again.name}`")
    if document.odd_root or not document.entries:
        return Reading({}, "the frontmatter is not a map")
    try:
        return Reading(evaluate_entries(document.entries, serde, tags=True, merge=False))
    except ParseError as error:
        return Reading({}, f"invalid YAML: {error.problem}")


# -------------------------------------------------------------------------------------------------- Gemini CLI


def read_gemini(document: Document) -> Reading:
    """js-yaml 4, and a mapping; the fence is on the very first line, and closed by the next line that begins so."""
    found = _PREFIX_FENCE.match(document.source.text)
    if found is None:
        return Reading({}, "the frontmatter is missing")
    try:
        value = load_js_yaml(found[1], version=4)
    except ParseError as error:
        return Reading({}, f"invalid YAML: {error.problem}")
    if not isinstance(value, dict):
        return Reading({}, "the frontmatter is not a map")
    behind = document.source.whole[found.end() : found.end() + 2]
    return Reading(value, "" if behind.startswith(("\n", "\r\n")) else "it takes the file to have no prompt")


_GEMINI_LINE = pattern(rf"[{JS_BLANKS}]*(name|description):(.*)")


def read_gemini_skill(document: Document) -> Reading:
    """js-yaml 4, if that finds a text for name and description; failing that, these two by their lines, as text."""
    found = _PREFIX_FENCE.match(document.source.text)
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


# --------------------------------------------------------------------------------------------------- Qwen Code

_QWEN_FENCE = pattern(r"---\n(.*?)\n---\n", re.DOTALL)


def read_qwen(document: Document) -> Reading:
    """Both fences are lines of their own, without blanks; what stands between them is read, whatever it is."""
    text = re.sub(r"\r\n?", "\n", document.source.whole.removeprefix("\ufeff"))
    found = _QWEN_FENCE.match(text)
    if found is None:
        return Reading({}, "the frontmatter is missing")
    from fsagent_lint.qwenyaml import load_qwen_yaml

    return Reading(load_qwen_yaml(found[1]))


READERS: dict[str, Callable[[Document], Reading]] = {
    "core": read_core,
    "vscode": read_vscode,
    "roo": read_roo,
    "matter": read_matter,
    "claude": read_claude,
    "opencode": read_opencode,
    "kilo": read_kilo,
    "copilot": read_copilot,
    "gemini": read_gemini,
    "gemini-skill": read_gemini_skill,
    "qwen": read_qwen,
}
