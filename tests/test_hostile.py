"""Files that mean harm, or make no sense: every rule and every harness still has an answer, in bounds and in time."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from damage import mutate, own_files
from damaged_projects import damaged_file, survive_project
from fixing import repair
from fuzzing import AGENTS, mutated, survive
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fsagent_lint.agent.explain import explain
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.linter.checker import Checker
from fsagent_lint.model.finding import Finding
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.rules import all_rules

CHECKER = Checker(all_rules())
ROLES = [(id, kind) for id in harness_ids() for kind in get_harness(id).kinds]


def judge(data: bytes, harness: str, kind: str) -> tuple[list[Finding], Document]:
    table = get_harness(harness)
    subject = Subjects().read("a.md", data, table, kind)
    for agent in subject.agents:
        for answer in explain(agent, [table])["effects"].values():  # none where its own files are only written
            assert answer["loads"] is (answer["error"] is None)
    return CHECKER.check(subject)[0], subject.document


def assert_sane(findings: list[Finding], document: Document) -> None:
    length = len(document.source.text)
    for finding in findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(document.source.whole)
        assert finding.message
        for edit in finding.fix.edits if finding.fix else ():
            assert 0 <= edit.span.start <= edit.span.end <= length


def levels(first: str, shape: str, *, last: str) -> str:
    """Nine levels of anchors, each of which repeats the one below nine times, and a key that holds the last."""
    lines = [f"a0: &a0 {first}"]
    lines += [f"a{n}: &a{n} {shape.format(*[f'*a{n - 1}'] * 9)}" for n in range(1, 9)]
    return "\n".join([*lines, last])


LIST = "[{}, {}, {}, {}, {}, {}, {}, {}, {}]"
MAP = "{{a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}}}"
MERGE = "{{<<: [{}, {}, {}, {}, {}, {}, {}, {}, {}], x: y}}"
HOSTILE = {
    "a list that multiplies": levels("[Read]", LIST, last="tools: *a8"),
    "a map that multiplies": levels("{a: true}", MAP, last="tools: *a8\npermission: *a8"),
    "merges that multiply": levels("{a: true}", MERGE, last="tools: *a8"),
    "hooks that multiply": levels("{a: [b]}", MAP, last="hooks: *a8\nmcp-servers: *a8\nmcpServers: *a8\nmodel: *a8"),
    "an alias of itself": "tools: &x [Read, *x]",
    "a merge of itself": "tools: &x {<<: *x}",
    "brackets": "tools: " + "[" * 20_000,
    "parentheses": "tools: " + "Bash(" * 10_000,
    "stars": 'permission: {"' + "*a" * 60 + 'b": deny}\ntools: {"' + "*a" * 60 + 'b": false}',
    "blanks": "tools: Bash" + " " * 50_000 + "x: y",
    "colons": "description: " + "a: " * 20_000,
    "quotes": "tools: '" + "''" * 20_000,
    "backslashes": "description: " + "\\" * 50_000 + ": [",
    "numbers": "maxTurns: "
    + "9" * 50_000
    + "\nsteps: "
    + "9" * 50_000
    + "\ntools: {1: true, 99999999999999999999: false}",
    "names": "tools: " + ", ".join(f"tool{number}" for number in range(1_900)),
    "scopes": "tools: " + ", ".join(f"Bash(a{number})" for number in range(1_900)),
    "blanks before a scope": "tools: Bash" + " " * 50_000 + ") (",
    "tabs": "tools:\n" + "\t" * 50_000 + "x",
    "a date": "tools: {a: true}\nmodel: 2001-01-01T" + "1" * 50_000 + "\n\n  x",
    "numbered switches": "tools: {" + ", ".join(f"{number}: true" for number in range(1_900)) + "}",
    "patterns": "permission: {"
    + ", ".join(f'"{"?" * (number % 7)}*{number}*": {("allow", "deny")[number % 2]}' for number in range(1_000))
    + "}",
    "ignores": "tools:\n" + "".join(f"  - tool{number} # fsagent: ignore[FA101]\n" for number in range(1_000)),
    "servers": "mcp-servers:\n"
    + "".join(f"  s{number}: {{}}\n" for number in range(1_000))
    + "tools: "
    + ", ".join(f"s{number}_x" for number in range(1_000)),
    "control characters": "tools: \x00\x1b[31m\x7f\x9b, ::error::x, Read\u202e",
}


@pytest.mark.parametrize("harness", AGENTS)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_frontmatter_is_judged(name: str, harness: str) -> None:
    data = f"---\nname: a\ndescription: d\n{HOSTILE[name]}\n---\nPrompt.\n".encode()
    assert_sane(*judge(data, harness, get_harness(harness).main_kind))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_list_of_agents_is_judged(name: str) -> None:
    lines = HOSTILE[name].replace("tools:", "groups:").replace("permission:", "groups:").replace("\n", "\n    ")
    text = f"customModes:\n  - slug: a\n    name: A\n    roleDefinition: r\n    {lines}\n  - slug: b\n"
    assert_sane(*judge(text.encode(), "roo", "mode"))
    assert_sane(*judge(f"{HOSTILE[name].replace('tools:', 'customModes:')}\n".encode(), "roo", "mode"))


@pytest.mark.parametrize("harness", AGENTS)
def test_many_comments_before_no_frontmatter(harness: str) -> None:
    assert_sane(*judge(b"<!-- a -->\n" * 150 + b"x", harness, get_harness(harness).main_kind))


@given(mutated() | st.binary(max_size=100))
@example(b"---\ndescription: d\npermission:\n-   bash: {'git *': allow, '*': deny}\n---\n")
@settings(max_examples=40)
def test_any_file_is_judged_by_every_rule_for_every_harness_and_kind(data: bytes) -> None:
    for harness, kind in ROLES:
        assert_sane(*judge(data, harness, kind))


@given(mutated() | st.binary(max_size=100), st.sampled_from(AGENTS), st.sampled_from(AGENTS))
@settings(max_examples=100)
def test_any_file_is_fixed_and_converted_or_left_alone(data: bytes, harness: str, target: str) -> None:
    survive(data, harness, target)


@given(st.randoms(), st.sampled_from(AGENTS), st.sampled_from(AGENTS))
@settings(max_examples=200)
def test_any_damaged_file_is_fixed_and_converted_or_left_alone(random: Random, harness: str, target: str) -> None:
    survive(mutate(random, own_files()), harness, target)


@given(st.randoms())
@settings(max_examples=30)
def test_whatever_is_damaged_in_a_project_every_command_has_an_answer(random: Random) -> None:
    survive_project(*damaged_file(random))


def test_there_are_files_to_damage() -> None:
    assert len(own_files()) > 1000


@pytest.mark.parametrize("kind", get_harness("qwen").kinds)
@pytest.mark.parametrize("frontmatter", ["", "\n", "# nothing\n", "[\n", "- a\n", "- a: [\n", "text\n"])
def test_a_frontmatter_without_a_line_that_says_something(frontmatter: str, kind: str) -> None:
    """Qwen Code reads line by line what is no YAML, and here no line is left."""
    assert_sane(*judge(f"---\n{frontmatter}---\nPrompt.\n".encode(), "qwen", kind))


@pytest.mark.parametrize("text", ["---\nname: a\ndescription: a: b\ntools: bash\n", "---\nname: a\ntools: bash\n"])
def test_in_a_frontmatter_that_never_ends_no_fix_is_tried(text: str) -> None:
    for unsafe in (False, True):
        fixed = repair(text, "claude-code", unsafe=unsafe)
        assert (fixed.data, fixed.errors) == (text.encode(), [])


@pytest.mark.parametrize("value", ["{a: b}", "[a]", "1", "null", "true", "2001-01-01"])
def test_a_field_of_the_wrong_sort_is_converted_or_left_out(value: str) -> None:
    fields = "".join(f"{name}: {value}\n" for name in ("mode", "color", "model", "hidden", "name", "description"))
    for harness, target in pairwise([*AGENTS, AGENTS[0]]):
        survive(f"---\n{fields}---\nPrompt.\n".encode(), harness, target)


def test_carriage_returns_alone_part_keys_too() -> None:
    """Else all that is below would be taken into the first value, tools included."""
    document = Document(Source("a.md", b"---\rname: a\rdescription: b: c\rtools: Read\r---\rx"))
    assert [entry.name for entry in document.entries] == ["name", "description", "tools"]
