"""Which hooks of a file the harness cannot use, and why."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.values import Value, type_name
from fsagent_lint.harnesses.harness import Hooks

_TYPE_PHRASES = {"list": "a list", "map": "a map", "string": "text", "null": "nothing", "boolean": "`true` or `false`"}


class HookProblem(NamedTuple):
    path: tuple[str | int, ...]
    """The keys and positions that lead to it, below the field that holds the hooks."""
    what: str
    advice: str
    guards: bool
    """The hook might have forbidden something."""


def hook_problems(value: Value, hooks: Hooks) -> Iterator[HookProblem]:
    """The problems of the value of a field that holds hooks; a value that is not a map is not looked at."""
    if not isinstance(value, dict):
        return
    if isinstance(value.get("hooks"), list) and value["hooks"] and value.keys().isdisjoint(hooks.events):
        yield HookProblem((), "hooks are listed without an event", "Put them under an event.", True)
        return
    for event, matchers in value.items():
        guards = event in hooks.guards
        if event not in hooks.events:
            yield HookProblem((event,), f"there is no hook event `{event}`", "", False)
        elif isinstance(matchers, list):
            for at, matcher in enumerate(matchers):
                for problem in _matcher_problems(matcher, hooks):
                    yield problem._replace(path=(event, at, *problem.path), guards=guards)
        elif matchers is not None:
            what = f"`{event}` must be a list, not {_phrase(matchers)}"
            yield HookProblem((event,), what, "Put a `-` before each matcher.", guards)


def _matcher_problems(value: Value, hooks: Hooks) -> Iterator[HookProblem]:
    if not isinstance(value, dict):
        yield HookProblem((), f"a matcher must be a map, not {_phrase(value)}", _ADVICE, False)
        return
    listed = value.get("hooks")
    if isinstance(listed, list):
        for at, hook in enumerate(listed):
            for problem in _hook_problems(hook, hooks):
                yield problem._replace(path=("hooks", at, *problem.path))
    elif "hooks" in value:
        yield HookProblem(("hooks",), f"`hooks` must be a list, not {_phrase(listed)}", _ADVICE, False)
    else:
        needed = {key for keys in hooks.types.values() for key in keys}
        direct = next((key for key in value if key in needed), "")
        if direct:
            yield HookProblem((direct,), f"`{direct}` is not in a list `hooks`", _ADVICE, False)
        else:
            yield HookProblem((), "a matcher has no list `hooks`", _ADVICE, False)
    if not isinstance(value.get("matcher", ""), str):
        what = f"`matcher` must be text, not {_phrase(value['matcher'])}"
        yield HookProblem(("matcher",), what, "Separate names by `|`.", False)


_ADVICE = "Write `hooks:` below the matcher, with a list of hooks that have `type` and `command`."


def _hook_problems(value: Value, hooks: Hooks) -> Iterator[HookProblem]:
    kinds = ", ".join(f"`{name}`" for name in hooks.types)
    if not isinstance(value, dict):
        yield HookProblem((), f"a hook must be a map, not {_phrase(value)}", _ADVICE, False)
    elif "type" not in value:
        likely = next((name for name, keys in hooks.types.items() if all(key in value for key in keys)), "")
        advice = f"Add `type: {likely}`." if likely else f"Its `type` is one of {kinds}."
        yield HookProblem((), "a hook has no `type`", advice, False)
    elif not isinstance(value["type"], str) or value["type"] not in hooks.types:
        shown = f"`{value['type']}`" if isinstance(value["type"], str) else _phrase(value["type"])
        yield HookProblem(("type",), f"{shown} is not a type of hook", f"Write one of {kinds}.", False)
    else:
        for key in hooks.types[value["type"]]:
            if not isinstance(value.get(key), str):
                what = f"a hook of type `{value['type']}` needs the text `{key}`"
                yield HookProblem((key,) if key in value else (), what, "Add it.", False)


def _phrase(value: Value) -> str:
    return _TYPE_PHRASES.get(type_name(value), f"`{value}`")
