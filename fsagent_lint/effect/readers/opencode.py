"""How gray-matter and js-yaml read frontmatter, and what OpenCode and Kilo do with text that these reject."""

from __future__ import annotations

import re
from collections.abc import Callable

from fsagent_lint._fast import pattern
from fsagent_lint.effect.readers.js_yaml import load_js_yaml
from fsagent_lint.effect.readers.reading import Reading
from fsagent_lint.effect.syntax import JS_BLANKS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import ParseError
from fsagent_lint.frontmatter.source import BOM
from fsagent_lint.frontmatter.values import Value, evaluate_entries, js_yaml

PREFIX_FENCE = pattern(r"---\r?\n(.*?)\r?\n---", re.DOTALL)
_OPENCODE_LINE = pattern(rf"([a-zA-Z_][a-zA-Z0-9_]*)[{JS_BLANKS}]*:[{JS_BLANKS}]*+([^\n\r\u2028\u2029]*)")


def read_matter(document: Document) -> Reading:
    """js-yaml, as gray-matter uses it; what it cannot read counts as no frontmatter at all."""
    text = document.source.text.removeprefix("\ufeff") if document.source.problem != "missing" else ""
    try:
        return Reading(_opencode_matter(text, document))
    except ParseError:
        return Reading({})


def read_opencode(document: Document) -> Reading:
    """js-yaml; failing that, the same with colons put into blocks.

    If reading fails and the repair changes nothing, the file loads without settings: every tool is enabled.
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


def _opencode_matter(text: str, parsed: Document | None = None) -> dict[str, Value]:
    """`parsed`: the document of the same text, so that it need not be parsed again."""
    if not text.startswith("---") or text[3:4] == "-":
        return {}
    language, _, rest = text[3:].partition("\n")
    block = rest if (close := f"\n{rest}".find("\n---")) < 0 else f"\n{rest}"[1 : max(close, 1)]
    if not re.sub(r"(?m)^[^\S\n]*#[^\n]+", "", block).strip():
        return {}
    value = _opencode_value(language.strip(), block, parsed)
    if isinstance(value, (list, str)):
        return {str(number): item for number, item in enumerate(value)}
    return value if isinstance(value, dict) else {}


def _opencode_value(language: str, block: str, parsed: Document | None) -> Value:
    if language.lower() in ("", "yaml", "yml"):
        if parsed is not None and parsed.root is not None and parsed.source.yaml_text == f"{block}\n":
            return load_js_yaml(block, (parsed.root, parsed.source.text))
        return load_js_yaml(block)
    if language == "json":
        import json

        try:
            return json.loads(block)
        except (ValueError, RecursionError) as error:
            raise ParseError(str(error), 0) from None
    raise ParseError(f"`{language}` is not YAML", 0)


def _opencode_repair(text: str, repair: Callable[[str, str], str]) -> str:
    found = PREFIX_FENCE.match(text)
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
