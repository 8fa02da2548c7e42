"""The words of messages, help and pages are plain: none of the phrases that a usual word has replaced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PHRASES = re.compile(
    r"""
    \bjudg(?:e|es|ed|ing)\b | \bsilenc(?:e|es|ed|ing)\b | \bnobody\b | \bsomebody\b | \bsays\ so\b | \bwithout\ a\ word\b
    | \bmeans\ nothing\b | \bhas\ nothing\ for\b | \bdo\ without\b | \brid\ of\b | \bbrings?\ along\b | \banew\b
    | \b(?:is|are|was)\ no\ (?!longer)\w+ | \b(?:is|are|was)\ meant\b | \bbut\ for\ upper\b | \btak(?:e|es|en)\ away\b
    | \ball\ the\ same\b | \bis\ there\ (?:already|twice)\b | \bharness'(?!s) | \b(?:place|nothing|nobody)\ (?:tells|says)\b
    | \bno\ word\ (?:of|about)\b | \btakes?\ no\ notice\b | \bgets?\ (?:nothing|everything|every\ tool|no\ tools)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Each has a plain equivalent, such as `check` for `judge` and `suppress` for `silence`. *There is no x* is plain."""
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - {ROOT / "CLAUDE.md"})
TABLES = sorted(ROOT.glob("fsagent_lint/harnesses/*/*.toml"))
MODULES = sorted(ROOT.glob("fsagent_lint/**/*.py"))


def found(text: str) -> list[str]:
    plain = re.sub(r"\bthere (?:is|are|was) no\b", "", " ".join(text.split()), flags=re.IGNORECASE)
    return [match[0] for match in PHRASES.finditer(plain)]


def printed(module: Path) -> Iterator[str]:
    """The texts that users read: the docstrings of rules and commands, and the strings in code."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    is_shown = module.parent.name in ("rules", "cli") and not module.name.startswith("_")
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            texts = [each.value for each in node.body if isinstance(each, ast.Expr)]
            if isinstance(node, ast.Module) or not is_shown:
                hidden |= {id(text) for text in texts}
            else:
                hidden |= {id(text) for text in texts[1:]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield node.value


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_the_program_prints_is_plain(module: Path) -> None:
    assert [phrase for text in printed(module) for phrase in found(text)] == []


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.name)
def test_what_a_table_says_is_plain(table: Path) -> None:
    assert found(re.sub(r"(?m)#.*$", "", table.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_page_says_is_plain(page: Path) -> None:
    assert found(page.read_text(encoding="utf-8")) == []
