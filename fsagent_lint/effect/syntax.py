"""How each harness reads a tool value: the syntaxes that tables refer to by name."""

from __future__ import annotations

import re
from collections.abc import Callable

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.effect import presets
from fsagent_lint.frontmatter.quoting import split
from fsagent_lint.frontmatter.values import Value, type_name
from fsagent_lint.harnesses.kind import Key

# The characters that JavaScript's String.trim removes.
JS_BLANKS = " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


class Refused(NamedTuple):
    """Why the harness refuses the value."""

    problem: str


class NamesRead(NamedTuple):
    names: tuple[str, ...]


ABSENT = None  # the value counts as if the key were not there

ListSyntax = Callable[[Value], NamesRead | Refused | None]


_CLAUDE_SCOPE = pattern(r"((?!\*\()(?:[^(\\]|\\.)+)\((?:[^\\]|\\.)*\)", re.DOTALL)


def claude_list(value: Value) -> NamesRead:
    """Text is split at commas and spaces outside parentheses; in a list only text counts; all else is empty."""
    items = value if isinstance(value, list) else [value]
    parts = [part for item in items if isinstance(item, str) for part in _claude_split(item)]
    return NamesRead(tuple(match[1] if (match := _CLAUDE_SCOPE.fullmatch(part)) else part for part in parts))


def _claude_split(text: str) -> list[str]:
    parts, inside, start = [], False, 0
    for at, char in enumerate(text):
        if char in "()":
            inside = char == "("
        elif char in ", " and not inside:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [stripped for part in parts if (stripped := part.strip(JS_BLANKS))]


def copilot_list(value: Value) -> NamesRead | Refused:
    """A list of text, or text split at commas; nothing else loads."""
    if isinstance(value, str):
        return NamesRead(tuple(part.strip() for part in value.split(",") if part.strip()))
    if not isinstance(value, list):
        return Refused(f"expected a list, got {type_name(value)}")
    for item in value:
        if not isinstance(item, str):
            return Refused(f"expected text in the list, got {type_name(item)}")
    return NamesRead(tuple(value))


def vscode_list(value: Value) -> NamesRead | None:
    """A list of scalars, or text split at commas; a map counts as no key at all."""
    if isinstance(value, list):
        return NamesRead(
            tuple(str(item) for item in value if not isinstance(item, (list, dict)) and item not in (None, ""))
        )
    if isinstance(value, dict):
        return ABSENT
    text = "" if value is None else str(value)
    return NamesRead(tuple(part.strip().strip("'\"") for part in text.split(",") if part.strip()))


def strict_list(value: Value) -> NamesRead | Refused:
    """A list of text; nothing else loads."""
    if isinstance(value, str):
        return Refused("expected a list, got text")
    return copilot_list(value)


def qwen_list(value: Value) -> NamesRead | Refused | None:
    """The text in a list, or text split at commas; where that is nothing, there might as well be no key."""
    if isinstance(value, str):
        names = [stripped for part in value.split(",") if (stripped := part.strip(JS_BLANKS))]
    else:
        names = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    if any(not name.strip(JS_BLANKS) for name in names):
        return Refused("a name is empty")
    return NamesRead(tuple(names)) if names else ABSENT


def factory_list(value: Value) -> NamesRead | None:
    """A list of text, or text split at commas; where that is not what it is, there might as well be no key."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return ABSENT
    return NamesRead(tuple(stripped for item in items if (stripped := str(item).strip(JS_BLANKS))))


def canonical_list(value: Value) -> NamesRead | Refused:
    """Our own: any form, read as its author meant it."""
    if isinstance(value, str):
        return NamesRead(tuple(value[start:end].partition("(")[0] for start, end in split(value, ",")))
    if isinstance(value, dict):
        return NamesRead(tuple(key for key, action in value.items() if action in (True, "allow", "ask")))
    if isinstance(value, list):
        return NamesRead(tuple(str(item).partition("(")[0] for item in value if isinstance(item, str)))
    return NamesRead(()) if value is None else Refused(f"expected a list, got {type_name(value)}")


def word_list(value: Value) -> NamesRead | Refused:
    """Text, split at blanks outside parentheses; nothing else."""
    if not isinstance(value, str):
        return Refused(f"expected text, got {type_name(value)}")
    return NamesRead(tuple(value[start:end] for start, end in split(value, " \t\n")))


def text_list(value: Value) -> NamesRead | Refused:
    """A list of text; nothing else loads."""
    return copilot_list(value) if isinstance(value, list) else Refused(f"expected a list, got {type_name(value)}")


def option_list(value: Value) -> NamesRead | Refused:
    """A list of names, each by itself or with its options: `[edit, {fileRegex: …}]`; nothing else loads."""
    if not isinstance(value, list):
        return Refused(f"expected a list, got {'text' if isinstance(value, str) else type_name(value)}")
    names = []
    for item in value:
        name = item[0] if isinstance(item, list) and len(item) == 2 and isinstance(item[1], dict) else item
        if not isinstance(name, str):
            return Refused(f"expected a name, or a name and its options in brackets, got {type_name(name)}")
        names.append(name)
    return NamesRead(tuple(names))


def option_problem(value: Value, key: Key) -> str:
    """What is wrong with the options of an entry; empty if nothing is."""
    from fsagent_lint.effect.js_regex import regex_problem

    for item in value if isinstance(value, list) else ():
        options = item[1] if isinstance(item, list) and len(item) == 2 and isinstance(item[1], dict) else {}
        for name in (key.option, "description"):
            if name in options and not isinstance(options[name], str):
                return f"`{name}` must be text, not {type_name(options[name])}"
        regex = options.get(key.option, "")
        if why := regex_problem(regex):
            return f"`{regex}` is not a valid regular expression: {why}"
    return ""


def preset_only(value: Value) -> None:  # noqa: ARG001
    """One of the sets; any other value counts as no key at all."""
    return ABSENT


def read_names(value: Value, key: Key) -> NamesRead | Refused | None:
    """The names in a tool value: those of a preset, or those that its syntax finds."""
    names = key.presets.get(presets.preset_word(value))
    return NamesRead(names) if names is not None else LISTS[key.syntax](value)


LISTS: dict[str, ListSyntax] = {
    "claude-list": claude_list,
    "copilot-list": copilot_list,
    "vscode-list": vscode_list,
    "strict-list": strict_list,
    "qwen-list": qwen_list,
    "factory-list": factory_list,
    "canonical-list": canonical_list,
    "word-list": word_list,
    "text-list": text_list,
    "option-list": option_list,
    "preset": preset_only,
}
