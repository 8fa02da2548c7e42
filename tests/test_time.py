"""Time grows with the size of the input, never with its square: sixteen or sixty-four times as much takes so much longer.

Only ratios are compared, of CPU time, the best of some runs. What takes next to no time is not compared at all.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from expressions import Dynamic, Expression, collect, worst_texts
from hostile_files import FAMILIES

from fsagent_lint.agent import abilities
from fsagent_lint.cli.main import run
from fsagent_lint.converter import mcp_config, placeholders
from fsagent_lint.effect.prompt import replaces, runs
from fsagent_lint.files import jsonc
from fsagent_lint.files.globs import Glob
from fsagent_lint.frontmatter import libyaml
from fsagent_lint.harnesses.gates import matches_wildcard
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.model_names import ModelNames, write_model
from fsagent_lint.harnesses.tables import get_harness, harness_ids, use_tables
from fsagent_lint.rules import unreplaced_placeholder

SIZES = 2_000, 16_000, 128_000, 1_000_000
GENEROUS = 4
"""How many times longer than in proportion to the size something may take: machines are noisy."""
NOTHING = 0.004
"""Seconds that are not worth comparing."""
LIMIT = 60
"""Seconds after which something is taken to never end."""

EXPRESSIONS, DYNAMIC = collect()
HARNESSES: list[Harness] = [get_harness(id) for id in harness_ids()]


def templates() -> Iterator[str]:
    """The placeholders of all tables, and some that a table of a project may bring."""
    for harness in HARNESSES:
        for kind in harness.kinds.values():
            notation = kind.notation
            yield from (*notation.argument, *notation.arguments, *notation.variables)
            yield from filter(None, (notation.input, notation.command, notation.file))
    yield from ("x{command}y", "a{name}b", "-{path}y", "aa{command}b", "ab{path}c")


def variables() -> Iterator[str]:
    for harness in HARNESSES:
        if harness.mcp_config is not None:
            yield from (*harness.mcp_config.variables, *filter(None, [harness.mcp_config.default]))
    yield from ("aNAMEb", "aNAME:DEFAULTz")


def run_by_harnesses() -> Iterator[tuple[str, re.Pattern[str]]]:
    """What finds the commands and the placeholders that the prompts of each kind of file may have."""
    for harness in HARNESSES:
        for name, kind in harness.kinds.items():
            for what, compiled in (("command", runs(kind.notation)), ("argument", replaces(kind.notation))):
                if compiled is not None:
                    yield f"{what} {harness.id} {name}", compiled


def prompts(what: str) -> list[Expression]:
    found = {compiled: where for where, compiled in run_by_harnesses() if where.startswith(what)}
    return [Expression(where, compiled, ("finditer",)) for compiled, where in found.items()]


def arguments() -> list[Expression]:
    """An argument of a command that stands where an agent's prompt names it."""
    names = dict.fromkeys(
        name
        for harness in HARNESSES
        if "command" in harness.kinds
        for name in harness.kinds["command"].notation.arguments
    )
    return [Expression(f"argument {each}", unreplaced_placeholder.argument(each), ("finditer",)) for each in names]


PUT_TOGETHER: dict[Dynamic, list[Expression]] = {
    Dynamic("fsagent_lint.converter.placeholders", "'|'.join(map(_expression, templates))"): [
        Expression(f"placeholder {each}", placeholders._pattern((each,)), ("finditer",))
        for each in dict.fromkeys(templates())
    ],
    Dynamic("fsagent_lint.converter.mcp_config", "escaped.replace('DEFAULT', f'(?P<default>(?:{again}[^{{}}])*)')"): [
        Expression(f"variable {each}", mcp_config._pattern(each), ("finditer",)) for each in dict.fromkeys(variables())
    ],
    Dynamic("fsagent_lint.files.jsonc", "pattern"): [
        Expression("jsonc", re.compile(each, re.DOTALL), ("sub",)) for each in (jsonc._COMMENT, jsonc._TRAILING_COMMA)
    ],
    Dynamic("fsagent_lint.frontmatter.libyaml", "words"): [
        Expression(f"words {each}", re.compile(each), ("sub",)) for each in libyaml._WORDS
    ],
    Dynamic("fsagent_lint.frontmatter.quoting", "f'[(){separators}]|\\\\Z'"): [
        Expression("separators", re.compile(r"[(),\s]|\Z"), ("finditer",))
    ],
    Dynamic("fsagent_lint.rules.unknown_tool_reference", "f'{re.escape(harness.reference)}([\\\\w/.-]+)'"): [
        Expression("reference", re.compile(r"\#tool:([\w/.-]+)"), ("finditer",)),
        Expression("reference .", re.compile(r"\.([\w/.-]+)"), ("finditer",)),
    ],
    Dynamic("fsagent_lint.effect.prompt", "f'{start}{re.escape(before)}{inside}{re.escape(after)}{blocks}'"): prompts(
        "command"
    ),
    Dynamic("fsagent_lint.effect.prompt", """f"{kept}(?:{'|'.join([*parts, *map(re.escape, whole)])})\""""): prompts(
        "argument"
    ),
    Dynamic(
        "fsagent_lint.agent.abilities", """f"\\\\b(?:{'|'.join(map(re.escape, sorted(words)))})\\\\b".encode()"""
    ): [Expression("harness names", abilities._harness_names(), ("sub",))],
    Dynamic(
        "fsagent_lint.rules.unreplaced_placeholder",
        "f'(?:^|: ?|\\\\*\\\\* ?|> ?)({re.escape(name)})[ \\\\t]*\\\\r?$'",
    ): arguments(),
}


class TooSlowError(Exception):
    """Something does not end."""


@contextmanager
def limited() -> Iterator[None]:
    """Stop what does not end, where the system can."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def seconds(act: Callable[[], object]) -> float:
    start = process_time()
    act()
    return process_time() - start


def assert_in_proportion(time: Callable[[int], float], *sizes: int) -> None:
    """`time` gives the seconds for a size. The next size is only tried if the last one was quick enough."""
    with limited():
        first = max(time(sizes[0]), NOTHING)
        for size in sizes[1:]:
            allowed = GENEROUS * first * size / sizes[0]
            assert time(size) <= allowed or time(size) <= allowed, f"{size} takes more than {allowed:.2f} s"


# -------------------------------------------------------------------------------------- regular expressions


def test_expressions_that_are_put_together_are_known() -> None:
    """Who writes another one adds it to the list, with its worst cases."""
    assert set(PUT_TOGETHER) == DYNAMIC
    assert len(EXPRESSIONS) > 100


@pytest.mark.parametrize("expression", [*EXPRESSIONS, *chain(*PUT_TOGETHER.values())], ids=lambda each: each.where)
def test_an_expression_reads_every_text_in_proportion_to_its_length(expression: Expression) -> None:
    def tried(method: str, text: Any) -> float:
        return seconds(lambda: expression.run(method, text))

    cases = [(method, make) for method in expression.methods for make in worst_texts(expression.compiled)]
    for size, most in ((500, 5), (SIZES[0], 1)):
        with limited():
            times = {case: min(tried(case[0], case[1](size)) for _ in range(2)) for case in cases}
        cases = sorted(cases, key=lambda case: times[case], reverse=True)[:most]
    for method, make in cases:
        assert_in_proportion(lambda size, m=method, t=make: tried(m, t(size)), *SIZES)  # type: ignore[misc]


@pytest.mark.parametrize(
    "expression",
    [
        Expression("nested", re.compile(r"(a+)+b"), ("match",)),
        Expression("unclosed", re.compile(r"<!-- x\[[^\]]*\]"), ("search",)),
        Expression("repeated", re.compile(r"\d+\.?\d*"), ("fullmatch",)),
    ],
    ids=lambda each: each.where,
)
def test_a_slow_expression_would_be_found(expression: Expression, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "LIMIT", 1)
    with pytest.raises((AssertionError, TooSlowError)):
        test_an_expression_reads_every_text_in_proportion_to_its_length(expression)


# --------------------------------------------------------------------------------------------------- globs


@pytest.mark.parametrize("pattern", ["**/**/**/*a*a*a*a*b", "*a*a*a*a*a*a*b", "**/a/**/a/**/b", "[!b]*[!b]*[!b]*b"])
def test_a_glob_matches_in_proportion_to_the_path(pattern: str) -> None:
    glob = Glob(pattern)
    for unit in ("a", "a/", "ab/"):
        assert_in_proportion(
            lambda size, u=unit: seconds(lambda: glob.matches(u * (size // len(u)) + "a")),  # type: ignore[misc]
            *SIZES[:2],
        )


@pytest.mark.parametrize("pattern", ["*a*a*a*a*b", "?*?*?*b", "a*" * 30 + "b"])
def test_a_wildcard_of_a_permission_matches_in_proportion_to_the_text(pattern: str) -> None:
    assert_in_proportion(lambda size: seconds(lambda: matches_wildcard(pattern, "a" * size)), *SIZES[:2])


def test_the_name_of_a_model_is_compared_in_proportion_to_its_length() -> None:
    """Also with a pattern as long as a table may have, and for a harness that takes no other name."""
    names = ModelNames(takes=("*" + "a" * 30_000 + "b",))
    assert_in_proportion(lambda size: seconds(lambda: write_model("a" * size, names)), *SIZES[:2])


# ------------------------------------------------------------------------------------------ whole projects

OTHER_COMMANDS = (
    ["--fix", "--unsafe-fixes", "."],
    ["--target", "opencode", "--diff", "."],
    ["--output-format", "sarif", "."],
    ["convert", "--to", "qwen", "."],
    ["explain"],
    ["--output-format", "json", "."],
    ["convert", "--to", "copilot", "--diff", "."],
    ["--output-format", "github", "."],
)


def timed_run(files: dict[str, bytes], command: list[str], folder: Path) -> float:
    for path, data in {**files, ".git/HEAD": b""}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    named = [path for path in files if path.endswith((".md", ".py", "modes"))][:1] if command == ["explain"] else []
    took = seconds(lambda: run([*command, *named]))
    use_tables({})
    return took


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(name, command, id=f"{name}: {command[0]} {command[1] if len(command) > 1 else ''}".strip())
        for number, name in enumerate(FAMILIES)
        for command in (["."], OTHER_COMMANDS[number // 4 % len(OTHER_COMMANDS)])[: 1 + (number % 4 == 0)]
    ],
)
def test_a_project_is_read_in_proportion_to_its_size(
    name: str,
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    family = FAMILIES[name]

    def time(size: int) -> float:
        folder = tmp_path / f"{size}-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        took = timed_run(family.make(size), command, folder)
        capsys.readouterr()
        return took

    time(family.size // 256)  # imports
    assert_in_proportion(time, family.size // 64, family.size // 4)
