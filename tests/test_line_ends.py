"""Line ends and byte order marks: every example and every fixture, written in another way, is fixed in the same way.

Where a harness reads such a file in another way (Claude Code finds no frontmatter behind a byte order mark), another
fix may be right: the model of the harness is asked, and then only the line ends have to stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from fixing import RULES, look, repair

from fsagent_lint.agent.copy_marker import content_hash, find_marker
from fsagent_lint.agent.data.markdown import merge_into_list
from fsagent_lint.agent.readers import Reader, readers_of
from fsagent_lint.agent.subject import Goal
from fsagent_lint.converter.sync import add_marker
from fsagent_lint.effect.effect import effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit, apply_edits
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.source import BOM, Source
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import fix_file
from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.project.find import find
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.rewrite.proof import prove
from fsagent_lint.rewrite.safety import apply
from fsagent_lint.rules import Bad, Good, Rule, all_rules
from fsagent_lint.testing import fix_example, unmark

FIXTURES = Path(__file__).parent / "cli" / "fixtures"
NEWLINES = {"CRLF": b"\r\n", "CR": b"\r", "BOM": b"\n"}
TARGETS = [
    target._replace(path=Path(target.path).absolute().as_posix())
    for target in find([str(FIXTURES)], Settings(), all_harnesses()).targets
]
MODES = (
    (None, "auto", Safety.SAFE),
    (None, "auto", Safety.UNSAFE),
    *((None, form, Safety.SAFE) for form in ("list", "csv", "map", "permission", "native")),
    *((target, "auto", Safety.UNSAFE) for target in ("claude-code", "opencode", "copilot", "roo")),
)


def write_as(data: bytes, way: str) -> bytes:
    return (BOM if way == "BOM" else b"") + data.replace(b"\n", NEWLINES[way])


def as_usual(data: bytes, way: str) -> bytes:
    """The text without its byte order mark, with `\\n`; every line must end as `way` says."""
    assert data.startswith(BOM) == (way == "BOM")
    lines = data.removeprefix(BOM).split(NEWLINES[way])
    assert not any(b"\r" in line or b"\n" in line for line in lines), f"another line end: {data!r}"
    return b"\n".join(lines)


def is_usual(data: bytes) -> bool:
    return b"\r" not in data and not data.startswith(BOM)


def read_alike(path: str, readers: Iterable[Reader], versions: Iterable[bytes], way: str) -> bool:
    """Do the readers read each version in the same way when it is written so?"""

    def outcome(data: bytes, reader: Reader) -> object:
        found = effect(Document(Source(path, data)), reader.harness, reader.kind, reader.owner)
        return found._replace(error="", data={}), [*found.data]

    chosen, all_versions = list(readers), list(versions)
    return all(
        outcome(each, reader) == outcome(write_as(each, way), reader) for each in all_versions for reader in chosen
    )


def readers(path: str, kind: str, *ids: str) -> list[Reader]:
    found = [get_harness(id) for id in ids if id]
    return [*(Reader(each, each.kinds[kind], "") for each in found if kind in each.kinds), *readers_of(path)]


@pytest.mark.parametrize("way", NEWLINES)
@pytest.mark.parametrize(
    ("rule", "example"),
    [
        pytest.param(rule, example, id=f"{rule.name}-{number}")
        for rule in all_rules()
        for number, example in enumerate(rule.examples)
        if is_usual(unmark(example.text)[0].encode("utf-8", "surrogateescape"))
    ],
)
def test_an_example_is_fixed_in_the_same_way(rule: Rule, example: Good | Bad, way: str) -> None:
    text = unmark(example.text)[0].encode("utf-8", "surrogateescape")
    usual, _ = fix_example(rule, example)
    fixed, left = fix_example(rule, example, write_as(text, way).decode("utf-8", "surrogateescape"))
    assert left.errors == []
    expected, found = usual.encode("utf-8", "surrogateescape"), as_usual(fixed.encode("utf-8", "surrogateescape"), way)
    path = example.path or f"example/{example.kind}.md"
    if example.kind == "python" or read_alike(
        path, readers(path, example.kind, example.harness, example.target), (text, expected), way
    ):
        assert found == expected


@pytest.mark.parametrize("way", NEWLINES)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: Path(target.path).relative_to(FIXTURES).as_posix())
def test_a_fixture_is_fixed_in_the_same_way(target: Target, way: str) -> None:
    data = Path(target.path).read_bytes().replace(b"\r\n", b"\n")
    if not is_usual(data):
        return
    for goal, form, safety in MODES:
        wanted = Goal(get_harness(goal) if goal else None, {"*": form}, frozenset("*" if goal else ""))
        checker = Checker(RULES, subjects=Subjects(goal=wanted))
        # In place, a file for another harness lies where no harness looks for it.
        place = target._replace(path="a.md") if goal else target
        usual = fix_file(place, data, checker, safety)
        fixed = fix_file(place, write_as(data, way), checker, safety)
        found = as_usual(fixed.data, way)
        if read_alike(place.path, readers(place.path, place.kind, place.harness, goal or ""), (data, usual.data), way):
            assert (found, fixed.errors) == (usual.data, usual.errors), (goal, form, safety)


def test_no_edit_begins_or_ends_inside_a_line_break() -> None:
    for span in (Span(2, 2), Span(0, 2), Span(2, 3)):
        with pytest.raises(ValueError, match="inside the line break"):
            apply_edits("a\r\nb", [Edit(span, "x")])


@pytest.mark.parametrize(("newline", "other"), [("\r\n", "\n"), ("\n", "\r"), ("\r", "\r\n"), ("\n", "\r\n")])
def test_a_line_break_that_the_text_does_not_have_is_not_written(newline: str, other: str) -> None:
    before = f"---{newline}name: a{newline}tools: []{newline}---{newline}"
    subject = look(before.encode(), "claude-code")
    span = subject.document.by_name["tools"].value.span
    fix = Fix("", (Edit(span, f"{other}  - Read"),), Safety.SAFE, frozenset(("tools",)))
    assert "as none does now" in prove(subject, apply(subject, [fix]), [fix])
    right = fix._replace(edits=(Edit(span, f"{newline}  - Read"),))
    assert prove(subject, apply(subject, [right]), [right]) == ""


def test_where_lines_end_in_different_ways_a_new_line_ends_like_its_neighbours() -> None:
    text = "---\ndescription: d\ntools:\r\n  read: true\r\n  grep: true\r\n---\n"
    fixed = repair(text, "opencode", unsafe=True)
    assert fixed.data.decode() == text.replace("tools:\r\n", 'tools:\r\n  "*": false\r\n')


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_marker_of_a_copy_is_found_whatever_its_lines_end_in(newline: str) -> None:
    data = add_marker("a.md", f"---{newline}name: a{newline}---{newline}".encode())
    found = find_marker(data)
    assert found is not None
    assert found.hash == content_hash(data)
    assert {*re.findall(rb"\r\n|\n|\r", data)} == {newline.encode()}


def test_a_list_that_has_no_agents_yet_keeps_its_line_ends() -> None:
    kind = get_harness("roo").kinds["mode"]
    made = b"customModes:\n  - slug: a\n    name: a\n    roleDefinition: x\n    groups: []\n"
    merged = merge_into_list(b"# ours\r\n", made, ".roomodes", kind, force=False)
    assert as_usual(merged, "CRLF") == b"# ours\n" + made
