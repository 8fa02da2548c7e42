"""Fixing: what is chosen, what is proven, what is told; and what a run over real files does and returns."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from damage import own_files
from fixing import RULES, SERVERS, look, repair, reports

from fsagent_lint.agent.subject import Goal
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.second_reader import comments_of
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import choose_fixes, fix_file
from fsagent_lint.model.finding import Consequence, Finding, Fix, Safety
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.report.diff import diff
from fsagent_lint.rewrite.safety import overreach
from fsagent_lint.rules import Bad, Good, Rule, Subject

HEAD = "---\nname: a\ndescription: d\n"
BODY = "---\nbody\n"


# ------------------------------------------------------------------------------------------------ the safe fixes


@pytest.mark.parametrize(
    ("harness", "before", "after"),
    [
        ("claude-code", "tools: read, GREP, Bash\n", "tools: Read, Grep, Bash\n"),
        ("claude-code", "tools: Read, Grep, Read\n", "tools: Read, Grep\n"),
        ("claude-code", "tools: [Read, MultiEdit, Edit]\n", "tools: [Read, Edit]\n"),
        ("claude-code", "allowed-tools: [Read] # only\n", "tools: [Read] # only\n"),
        ("claude-code", "tools: # none\n", "tools: [] # none\n"),
        ("opencode", "permission: {read: allow, '*': deny}\n", "permission: {'*': deny, read: allow}\n"),
        ("opencode", "permissions:\n  bash: deny # b\n", "permission:\n  bash: deny # b\n"),
        ("opencode", "tools: [read, grep] # look\n", 'permission: # look\n  "*": deny\n  read: allow\n  grep: allow\n'),
        (
            "opencode",
            "color: blue # sky\npermission: {'*': deny, read: allow}\n",
            "color: \"#3b82f6\" # sky\npermission: {'*': deny, read: allow}\n",
        ),
        ("copilot", "allowed-tools:\n  - read # r\n  - bash\n", "tools:\n  - read # r\n  - bash\n"),
    ],
)
def test_what_has_a_safe_repair_is_repaired(harness: str, before: str, after: str) -> None:
    fixed = repair(HEAD + before + BODY, harness)
    assert fixed.errors == []
    assert fixed.data.decode() == HEAD + after + BODY
    assert repair(fixed.data, harness).data == fixed.data


def test_an_unquoted_colon_is_mended_first_and_the_rest_after_it() -> None:
    fixed = repair("---\nname: a\ndescription: Use this: often\ntools: read\n---\n", "claude-code")
    assert fixed.data == b'---\nname: a\ndescription: "Use this: often"\ntools: Read\n---\n'
    assert fixed.errors == []


def test_a_guess_needs_a_yes() -> None:
    text = HEAD + "tools: {Read: true, Grep: true}\n" + BODY
    assert repair(text, "claude-code").data.decode() == text
    assert repair(text, "claude-code", unsafe=True).data.decode() == HEAD + "tools: Read, Grep\n" + BODY
    text = HEAD + "tools: Read, Grpe\n" + BODY
    assert repair(text, "claude-code").data.decode() == text
    assert repair(text, "claude-code", unsafe=True).data.decode() == HEAD + "tools: Read, Grep\n" + BODY


def test_a_look_alike_never_becomes_the_tool_that_it_looks_like() -> None:
    for name in ("Bаsh", "Baſh", "Ｂａｓｈ", "Ba\u200bsh"):
        text = HEAD + f"tools: Read, {name}\n" + BODY
        assert repair(text, "claude-code").data.decode() == text


@pytest.mark.parametrize("shape", ["tools: {}\n", "tools:\n- {}\n", "tools: [{}]\n"])
def test_many_fixes_of_one_value_are_made_in_few_passes(shape: str) -> None:
    joint = "\n- " if "-" in shape else ", "
    before = HEAD + shape.format(joint.join(["Read"] * 300 + ["grep"] * 300)) + BODY
    fixed = repair(before, "claude-code")
    assert fixed.data.decode() == HEAD + shape.format(joint.join(["Read", "Grep"])) + BODY
    assert fixed.errors == []


def test_every_entry_of_a_block_may_go_but_not_the_value() -> None:
    fixed = repair(HEAD + "tools:\n  - LS # l\n  - LS\n" + BODY, "claude-code", unsafe=True)
    assert fixed.data.decode() == HEAD + "tools: []\n  # LS: l\n" + BODY
    assert fixed.errors == []


def test_what_was_lost_is_reported_where_it_stood() -> None:
    fixed = repair(HEAD + "x: 1\ntools:\n  - Read\n  - Monitor\n" + BODY, "claude-code", "opencode")
    (lost,) = [lost for lost in fixed.lost if lost.finding.name == "lost-tool"]
    assert lost.source.position(lost.finding.span.start) == (7, 5)
    assert [finding.name for finding in reports(fixed)] == ["lost-tool"]


# ----------------------------------------------------------------------------------------------------- the proof


class Lying(Rule):
    """A rule whose fix does what no fix may do."""

    code, name, consequence = "FA999", "lying", Consequence.STYLE
    examples = (Good(""), Bad(""))

    def __init__(self, change: Callable[[str], tuple[int, int, str]], touches: str = "tools") -> None:
        self.change, self.touches = change, touches

    def check(self, subject: Subject) -> Iterator[Finding]:
        start, end, new = self.change(subject.document.source.text)
        if subject.document.source.text[start:end] != new:
            fix = Fix("Lie", (Edit(Span(start, end), new),), Safety.SAFE, frozenset((self.touches,)))
            yield self.finding(Span(start, end), "It lies.", fix=fix)


def _replace(old: str, new: str) -> Callable[[str], tuple[int, int, str]]:
    def change(text: str) -> tuple[int, int, str]:
        start = text.find(old)
        return (start, start + len(old), new) if start >= 0 else (0, 0, "")

    return change


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("description: d", "description: e", "the value of `description` changed"),
        ("description: d\n", "", "keys changed: ['description']"),
        ("name: a", "name: a\nmore: 1", "keys changed: ['more']"),
        ("tools: Read", "tools: [Read", "the frontmatter is not valid YAML"),
        ("tools: Read", "---\ntools: Read", "the body changed"),
        ("---\nname", "--- \nname", "the opening line changed"),
        ("Read", "", "`tools` would be left without a value"),
        (" # keep\ntools: Read", "\ntools: 'Read'", "the comment '# keep' would be lost"),
    ],
)
def test_a_fix_that_lies_is_not_written_and_named(old: str, new: str, why: str) -> None:
    text = "---\nname: a\ndescription: d\n # keep\ntools: Read\n---\nbody\n"
    checker = Checker([Lying(_replace(old, new))])
    fixed = fix_file(Target("a.md", "claude-code", "agent", False), text.encode(), checker, Safety.UNSAFE)
    assert fixed.data == text.encode()
    (error,) = fixed.errors
    assert error.startswith(f"the fix of lying was not applied: {why}")


def test_fixes_that_never_settle_change_nothing() -> None:
    def flip(text: str) -> tuple[int, int, str]:
        start = text.index("tools: ") + 7
        return start, start + 4, "Grep" if text[start : start + 4] == "Read" else "Read"

    text = HEAD + "tools: Read\n" + BODY
    fixed = fix_file(
        Target("a.md", "claude-code", "agent", False), text.encode(), Checker([Lying(flip)]), Safety.UNSAFE
    )
    assert (fixed.data, fixed.fixed) == (text.encode(), [])
    assert fixed.errors == ["fixes did not settle after 20 passes"]


def test_a_pattern_that_goes_is_noticed() -> None:
    text = "---\ndescription: d\npermission:\n  bash: {'*': deny, 'git *': allow}\n---\n"
    result = text.replace("{'*': deny, 'git *': allow}", "allow").encode()
    assert "Shell without a limit" in overreach(look(text.encode(), "opencode"), result)


def finding(*spans: tuple[int, int]) -> Finding:
    edits = tuple(Edit(Span(*span), "") for span in spans)
    return Finding("X", "x", Span(0, 0), Consequence.STYLE, "", Fix("", edits, Safety.SAFE, frozenset()))


@pytest.mark.parametrize(
    ("spans", "chosen"),
    [
        ([[(0, 2)], [(2, 4)]], 2),
        ([[(0, 2)], [(1, 3)]], 1),
        ([[(1, 3)], [(0, 2)]], 1),
        ([[(0, 9)], [(4, 5)]], 1),
        ([[(4, 5)], [(0, 9)]], 1),
        ([[(3, 3)], [(3, 3)]], 1),
        ([[(3, 3)], [(3, 5)]], 2),
        ([[(0, 1), (5, 6)], [(2, 3)], [(5, 7)]], 2),
    ],
)
def test_fixes_that_touch_the_same_text_wait_for_each_other(spans: list[list[tuple[int, int]]], chosen: int) -> None:
    assert len(choose_fixes([finding(*each) for each in spans], Safety.SAFE, set())) == chosen


# --------------------------------------------------------------------------------------------------------- runs


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fsagent_lint", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text(HEAD + "tools: read\n---\nbody\n")
    (folder / "b.md").write_text("---\nname: b\ndescription: d\ntools: Read, Monitor\n---\nbody\n")
    return tmp_path


def test_a_run_fixes_and_says_what_is_left(agents: Path) -> None:
    done = run(agents, "--fix", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert (agents / ".claude/agents/a.md").read_text() == HEAD + "tools: Read\n---\nbody\n"
    assert run(agents, ".").returncode == 0


def test_a_diff_shows_and_writes_nothing(agents: Path) -> None:
    before = (agents / ".claude/agents/a.md").read_bytes()
    done = run(agents, "--diff", ".")
    assert done.returncode == 1
    assert "-tools: read\n+tools: Read\n" in done.stdout
    assert (agents / ".claude/agents/a.md").read_bytes() == before


def test_a_tool_that_is_lost_is_an_exit_status_of_1(agents: Path) -> None:
    (agents / "agents").mkdir()
    (agents / ".claude/agents/b.md").rename(agents / "agents/b.md")
    command = ("--fix", "--harness", "claude-code", "--target", "opencode", "agents/b.md")
    done = run(agents, *command)
    assert done.returncode == 1
    assert "OpenCode has no equivalent of Monitor" in done.stdout
    assert 'permission:\n  "*": deny\n  read: allow\n' in (agents / "agents/b.md").read_text()
    assert run(agents, *command).returncode == 0


def test_a_file_that_its_own_harness_would_misread_is_not_written_for_another(agents: Path) -> None:
    path = agents / ".claude/agents/b.md"
    before = path.read_bytes()
    done = run(agents, "--fix", "--target", "opencode", ".claude/agents/b.md")
    assert done.returncode == 1
    assert "Claude Code also reads the file, and would grant every tool" in done.stdout
    assert "`fsagent-lint convert --to opencode .claude/agents/b.md`" in done.stdout
    assert path.read_bytes() == before
    assert run(agents, "convert", "--to", "opencode", ".claude/agents/b.md").returncode == 1
    assert "read: allow" in (agents / ".opencode/agents/b.md").read_text()
    run(agents, "--fix", "--unsafe-fixes", "--target", "opencode", ".claude/agents/b.md")
    assert "read: allow" in path.read_text()


@pytest.mark.parametrize(("target", "form"), [("claude-code", "map"), ("opencode", "list"), ("copilot", "permission")])
def test_a_form_that_the_target_cannot_load_is_an_exit_status_of_2(agents: Path, target: str, form: str) -> None:
    done = run(agents, "--fix", "--target", target, "--tool-format", form, ".")
    assert done.returncode == 2
    assert f"cannot load tools as {form}; it accepts" in done.stderr
    assert "read" in (agents / ".claude/agents/a.md").read_text()


def test_standard_input_is_fixed_to_standard_output(agents: Path) -> None:
    command = [sys.executable, "-m", "fsagent_lint", "--fix", "--stdin-filename", ".claude/agents/a.md", "-"]
    text = (HEAD + "tools: read # r\r\n---\nbody \xff").encode("latin-1")
    done = subprocess.run(command, cwd=agents, input=text, capture_output=True, timeout=60, check=False)
    assert done.stdout == text.replace(b"tools: read", b"tools: Read")


# --------------------------------------------------------------------------------------------------------- diffs


def test_a_diff_shows_two_lines_around_what_changed() -> None:
    before, after = HEAD + "tools: read\nmodel: opus\n" + BODY, HEAD + "tools: Read\nmodel: opus\n" + BODY
    assert diff("x/a.md", before.encode(), after.encode()) == (
        "--- a/x/a.md\n+++ b/x/a.md\n@@ -2,5 +2,5 @@\n name: a\n description: d\n-tools: read\n+tools: Read\n model: opus\n ---\n"
    )


def test_a_large_diff_is_shown_in_one_piece() -> None:
    lines = [f"- {number}" for number in range(3000)]
    before, after = "\n".join(["---", "a: b", "tools:", *lines, "---", ""]), "\n".join(
        ["---", "a: b", "tools:", *(line + "x" for line in lines), "---", ""]
    )  # fmt: skip
    shown = diff("a.md", before.encode(), after.encode()).splitlines()
    assert shown[2] == "@@ -2,3003 +2,3003 @@"
    assert len([line for line in shown if line.startswith("-- ")]) == 3000
    assert len([line for line in shown if line.startswith("+- ")]) == 3000


def test_a_diff_is_safe_to_print() -> None:
    shown = diff("a\x1b.md", b"---\na: 1\n---\n", b"---\na: \x1b[31m ::error::x\n---\n")
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    "line",
    ["tools: Bash", "name: b", "<<: text", "<<: [text]", "x: !!int abc", "x: !!python/name:os.system y", "? [a]\n: b"],
)
def test_what_readers_disagree_about_is_not_changed(line: str) -> None:
    text = f"---\nname: a\ndescription: d\n{line}\ntools: bash\n---\n"
    for target in (None, "claude-code", "opencode"):
        fixed = repair(text, "claude-code", target)
        assert fixed.data.decode() == text
        assert fixed.left


def test_written_for_its_own_harness_a_file_is_fixed_and_no_more() -> None:
    text = '---\ndescription: d\ntools:\n  "*": false\n  Read: true\n  bash: true\n  "*ash": false\n---\n'
    assert repair(text, "opencode", "opencode").data.decode() == text.replace("Read", "read")


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: a\ndescription: d \t\ntools: bash\n---\n",
        "---\nname: a\ndescription: d\ntools:\tbash\n---\n",
        "---\nname: a\ndescription: d\ntools: bash\t# why\n---\n",
        "---\nname: a\ndescription: d\t\ntools:\t# why\n  - bash\t \t# not\n  # below\n---\n",
    ],
)
def test_a_tab_where_yaml_allows_one_is_in_nobodys_way(text: str) -> None:
    """The second reader refuses it, and could not prove anything."""
    fixed = repair(text, "claude-code")
    assert (fixed.data.decode(), fixed.errors) == (text.replace("bash", "Bash"), [])


def test_a_comment_behind_a_tab_is_not_lost() -> None:
    text = "---\nname: a\ndescription: d\t# kept\ntools:\n  - bash\n---\n"
    assert comments_of(text[4:-4]) == ["# kept"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_entry_is_inserted_above_comments_and_between_whole_lines(newline: str) -> None:
    text = "---\ndescription: d\ntools: # why\n\n  # what it may do\n  read: true\n---\nbody\n"
    fixed = repair(text.replace("\n", newline), "opencode", unsafe=True)
    expected = text.replace("# why\n", '# why\n  "*": false\n')
    assert fixed.data.decode().replace(newline, "\n") == expected
    assert fixed.data.decode().count(newline[-1]) == fixed.data.decode().count(newline) == expected.count("\n")


@pytest.mark.parametrize(
    "tools",
    [
        "{Write: false, Edit: true}",
        "{Edit: false, Write: true}",
        "{write: true, edit: false}",
        "{patch: true, Edit: false}",
    ],
)
def test_a_safe_fix_keeps_every_word_of_a_map(tools: str) -> None:
    text = f"---\ndescription: d\ntools: {tools}\n---\n"
    safe = repair(text, "opencode")
    assert safe.data.decode().lower() == text.lower()
    [split] = [finding for finding in safe.left if finding.name == "conflicting-entries"]
    assert split.fix is not None
    assert split.fix.safety is Safety.UNSAFE
    both = repair(text, "opencode", unsafe=True)
    assert both.data.count(b"false") == 2
    assert both.solved == len(both.fixed)


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("text", [each.decode() for each in own_files() if len(each) < 400 and each.isascii()][::7])
def test_as_many_fixes_are_counted_as_were_announced(text: str, unsafe: bool) -> None:
    for harness in ("claude-code", "opencode", "copilot"):
        wanted = Safety.UNSAFE if unsafe else Safety.SAFE
        goal = Goal(None, {"*": "auto"}, frozenset("*") if unsafe else frozenset())
        checker = Checker(RULES, subjects=Subjects(Settings(mcp_servers=tuple(SERVERS)), goal))
        target = Target("a.md", harness, "agent", False)
        findings, _ = checker.check(checker.subject(target, text.encode()))
        announced = [finding for finding in findings if finding.fix and finding.fix.safety >= wanted]
        fixed = fix_file(target, text.encode(), checker, wanted)
        if not fixed.errors:
            assert fixed.solved == len(announced)
            assert not [finding for finding in fixed.left if finding.fix and finding.fix.safety >= wanted]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"Use "this" agent"', 'Use "this" agent'),
        ("'It's for 'this' agent'", "It's for 'this' agent"),
        ('"Use \\"this\\" or "that"."', 'Use "this" or "that".'),
        ('"this" and "that"', '"this" and "that"'),
        ('"Use "this"\n  agent"', 'Use "this"\n  agent'),
    ],
)
def test_quotes_around_a_value_do_not_become_part_of_it(value: str, text: str) -> None:
    before = f"---\nname: a\ndescription: {value}\ntools: Read\n---\n"
    fixed = repair(before, "claude-code", unsafe=True)
    assert (repair(before, "claude-code").data == before.encode()) == (text[0] != value[0])
    after = look(fixed.data, "claude-code")
    assert after.document.error is None
    assert after.document.text_of("description") == text


@pytest.mark.parametrize("below", ["owner: team", "owner:team", "tools:Read", "my key: x", '"key": x'])
def test_a_repair_makes_no_key_part_of_a_value(below: str) -> None:
    text = f"---\nname: a\ndescription: Use this: often\n{below}\nmodel: opus\n---\n"
    fixed = repair(text, "claude-code", unsafe=True).data.decode()
    assert f"\n{below}\nmodel: opus\n---\n" in fixed


def test_what_was_just_fixed_is_not_called_fixable() -> None:
    fixed = repair(
        "---\nname: a\ndescription: d\ntools: Read, Monitor, Bash\n---\n", "claude-code", "copilot", unsafe=True
    )
    assert fixed.lost
    assert [finding for finding in reports(fixed) if finding.fix] == []
