"""Tool values as people write them: list, comma string, map or permission, valid in the harness or not."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect import presets
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, Scalar, Span
from fsagent_lint.frontmatter.quoting import BLANKS, split
from fsagent_lint.frontmatter.values import core
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.harnesses.tables import harnesses_with_name
from fsagent_lint.model.finding import Consequence, Fix
from fsagent_lint.model.policy import Action

SWITCHES = {
    **dict.fromkeys(("true", "allow", "yes", "on", "1", "y"), Action.ALLOW),
    **dict.fromkeys(("false", "deny", "no", "off", "0", "n"), Action.DENY),
    "ask": Action.ASK,
}
_SWITCH_WORDS = {Action.ALLOW: "true", Action.DENY: "false"}
_NULLS = ("", "~", "null", "Null", "NULL")
WITH_ACTIONS = ("map", "permission", "rules")
"""Shapes whose entries say themselves whether a tool is allowed."""
_EVERYTHING = ("", "*", "**", ":*")


class ToolItem(NamedTuple):
    """One entry: `Bash(git diff:*)` is the name `Bash` with the scope `git diff:*`."""

    text: str
    name: str
    scope: str | None
    action: Action | None
    """From a map's value; None in lists, where the key decides, and for a value that is not a switch."""
    span: Span
    node: Node
    exact: bool
    """The span holds the text literally, so that it can be replaced."""
    whole: Node | None = None
    """The node of the whole entry, if it is more than `node`: a name with its options."""


class ToolValue(NamedTuple):
    """The value of one tool key.

    `shape`: list, csv, space-separated, map, permission, rules or preset; or null.
    """

    entry: Entry
    shape: str
    items: tuple[ToolItem, ...]

    @property
    def key(self) -> str:
        return self.entry.name or ""


def read_tool_value(entry: Entry, text: str, key: Key | None = None) -> ToolValue:
    """`text` is the text of the file; `key`: what the table says about the key, if it is a tool key there."""
    value, blanks = entry.value, key is not None and key.blanks
    if key is not None and isinstance(value, Scalar) and (names := _preset(value, key)) is not None:
        span = value.span
        items = tuple(ToolItem(name, name, None, None, span, value, False) for name in names)
        word = presets.preset_word(core(value.value) if value.plain else value.value)
        return ToolValue(entry, presets.FORM if word in key.presets else "csv", items)
    if isinstance(value, List) and value.items and all(map(_is_rule, value.items)):
        return ToolValue(entry, "rules", tuple(item for rule in value.items for item in _rule_items(rule)))
    if isinstance(value, List):
        option = key.option if key is not None else ""
        return ToolValue(entry, "list", tuple(_list_items(value, text, option, blanks=blanks)))
    if isinstance(value, Map):
        items = tuple(_map_items(value, text))
        words = {_word(each.value) for each in value.entries}
        shape = "permission" if words & {"allow", "ask", "deny", None} else "map"
        return ToolValue(entry, shape, items)
    if value.style == "" and value.value in _NULLS:
        return ToolValue(entry, "null", ())
    if value.style == "" and value.value in ("allow", "ask", "deny"):
        star = ToolItem("*", "*", None, SWITCHES[value.value], value.span, value, False)
        return ToolValue(entry, "permission", (star,))
    by_blanks = key is not None and "space-separated" in key.forms and len(list(split(value.value, ","))) <= 1
    return ToolValue(entry, "space-separated" if by_blanks else "csv", tuple(_string_items(value, text, blanks=blanks)))


def _preset(node: Scalar, key: Key) -> tuple[str, ...] | None:
    """The names that a value was intended to stand for; None if it is not a preset."""
    if node.value in key.presets:
        return key.presets[node.value]
    action = SWITCHES.get(node.value.lower())
    return key.presets.get(_SWITCH_WORDS.get(action, "")) if action is not None else None


def _word(node: Node) -> str | None:
    """A scalar's text in lower case; None for a collection."""
    return node.value.lower() if isinstance(node, Scalar) else None


def _list_items(node: List, text: str, option: str, *, blanks: bool) -> Iterator[ToolItem]:
    for item in node.items:
        if isinstance(item, Scalar):
            if not blanks and item.style != "raw" and _is_word(item.value):
                yield _word_item(item, text)
            else:
                yield from _split_items(item, text, ", \t\n" if blanks else "")
        elif option and (pair := _pair(item)) is not None:
            yield _item_with_options(item, *pair, option, text)
        elif isinstance(item, List):
            yield from _list_items(item, text, option, blanks=blanks)
        else:
            yield from _map_items(item, text)


def _is_word(value: str) -> bool:
    """Is it a single name without a scope?"""
    return value != "" and "(" not in value and value[0] not in BLANKS and value[-1] not in BLANKS


def _word_item(node: Scalar, text: str) -> ToolItem:
    exact = _is_exact(node, text)
    quoted = 1 if exact and node.style in ("'", '"') else 0
    return ToolItem(node.value, node.value, None, None, Span(node.start + quoted, node.end - quoted), node, exact)


def _pair(node: List | Map) -> tuple[Scalar, Node | None] | None:
    """A name and its options: `[edit, {fileRegex: x}]`, or what people write instead, `edit: {fileRegex: x}`."""
    if isinstance(node, List):
        parts = (*node.items[:2], None, None)
    elif len(node.entries) == 1 and isinstance(node.entries[0].value, Map):
        parts = (node.entries[0].key, node.entries[0].value, None, None)
    else:
        return None
    return (parts[0], parts[1]) if isinstance(parts[0], Scalar) else None


def _item_with_options(whole: List | Map, name: Scalar, options: Node | None, option: str, text: str) -> ToolItem:
    from fsagent_lint.effect.js_regex import as_scope

    entries = options.entries if isinstance(options, Map) else []
    # A misspelt option is intended as a limit, too.
    limits = [entry.value for entry in entries if entry.name == option] or [
        entry.value for entry in entries if entry.name != "description"
    ]
    texts = [each.value if isinstance(each, Scalar) else text[each.start : each.end] for each in limits]
    scope = next((as_scope(each) for each in texts if each), None)
    span = Span(name.start + bool(name.style in ("'", '"')), name.end - bool(name.style in ("'", '"')))
    exact = _is_exact(name, text)
    return ToolItem(name.value, name.value, scope, None, span if exact else name.span, name, exact, whole)


_RULES = {"action": "resource", "capability": "match"}
"""The entries of a rule that name the tool and its scope, as OpenCode 2 and Kiro write it; both have `effect`."""


def _is_rule(node: Node) -> bool:
    """Is it a rule such as `{action: bash, resource: "git *", effect: allow}`?"""
    names = {entry.name for entry in node.entries} if isinstance(node, Map) else set()
    return "effect" in names and not names.isdisjoint(_RULES)


def _rule_items(node: Node) -> Iterator[ToolItem]:
    """One item for each scope of a rule."""
    assert isinstance(node, Map)
    values = {entry.name: entry.value for entry in node.entries}
    action = SWITCHES.get(_word(values["effect"]) or "")
    for tool, scope in _RULES.items():
        name, limits = values.get(tool), values.get(scope)
        if isinstance(name, Scalar):
            nodes = limits.items if isinstance(limits, List) else [limits]
            scopes = [each.value for each in nodes if isinstance(each, Scalar)] or [""]
            for each in scopes:
                limit = None if each in _EVERYTHING else each
                yield ToolItem(name.value, name.value, limit, action, name.span, name, False, node)


def _map_items(node: Map, text: str) -> Iterator[ToolItem]:
    for entry in node.entries:
        if entry.name is None:
            continue
        key = entry.key
        exact = isinstance(key, Scalar) and _is_exact(key, text)
        span = key.span
        if isinstance(entry.value, Map):
            for rule in entry.value.entries:
                scope = None if rule.name in ("*", "**") else rule.name
                action = SWITCHES.get(_word(rule.value) or "")
                yield ToolItem(entry.name, entry.name, scope, action, span, entry.value, exact)
        else:
            action = SWITCHES.get(_word(entry.value) or "")
            yield ToolItem(entry.name, entry.name, None, action, span, entry.value, exact)


def _string_items(node: Scalar, text: str, *, blanks: bool) -> Iterator[ToolItem]:
    value = node.value
    # Without a comma, blanks can only be intended as separators, even if the harness does not split there.
    if blanks or ("," not in value and node.style not in ("|", ">")):
        return _split_items(node, text, ",\n \t")
    return _split_items(node, text, ",\n")


def _split_items(node: Scalar, text: str, separators: str) -> Iterator[ToolItem]:
    value = node.value
    exact = _is_exact(node, text)
    # Offsets into the value are offsets into the file, except for an opening quote.
    shift = node.start + (1 if node.style in ("'", '"') else 0)
    for start, end in _parts(value, separators):
        part = value[start:end]
        if node.style == "raw" and part != "*" and not any(map(str.isalnum, part)):
            continue  # a dash or a bracket of invalid YAML
        span = Span(shift + start, shift + end) if exact else node.span
        name, scope = _scoped(part) if part.endswith(")") else (part, "")
        yield ToolItem(part, name, None if scope in _EVERYTHING else scope, None, span, node, exact)


def _parts(text: str, separators: str) -> Iterator[tuple[int, int]]:
    """The ranges of the names; a blank inside the name of a server separates nothing."""
    if " " not in separators or "/" not in text:
        yield from split(text, separators)
        return
    for start, end in split(text, ",\n"):
        part = text[start:end]
        if _has_spaced_server(part):
            yield start, end
        else:
            yield from ((start + first, start + last) for first, last in split(part, separators))


def _has_spaced_server(part: str) -> bool:
    """Is it one MCP tool, such as `Azure MCP/search`, and not two names, such as `Read docs/search`?"""
    server, slash, tool = part.partition("/")
    words = server.split()
    is_name = len(words) > 1 and slash and tool and "(" not in part and not any(map(str.isspace, tool + server[-1:]))
    return bool(is_name) and not harnesses_with_name(words[0])


def _scoped(part: str) -> tuple[str, str]:
    name, _, scope = part[:-1].partition("(")
    is_name = name and not name[0].isspace() and ")" not in name and len(name) < len(part) - 1
    return (name.rstrip(), scope.strip(BLANKS)) if is_name else (part, "")


def _is_exact(node: Scalar, text: str) -> bool:
    raw = text[node.start : node.end]
    return not node.marked and node.value == (raw[1:-1] if node.style in ("'", '"') else raw)


class Misfit(NamedTuple):
    """A value of the wrong shape: who expects another one, what happens, how bad that is, and the fix."""

    title: str
    outcome: str
    consequence: Consequence
    fix: Fix | None
