"""Placeholders of commands, prompts and skills in the notation of another harness."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from fsagent_lint import Converted
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.placeholders import convert_prompt
from fsagent_lint.converter.run import convert_agent
from fsagent_lint.effect.table_check import check_table
from fsagent_lint.errors import DataError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.notation import Notation
from fsagent_lint.harnesses.tables import all_harnesses, get_harness, harness_ids

NOTATIONS = {
    f"{harness.id} {name}": kind.notation
    for harness in all_harnesses()
    for name, kind in harness.kinds.items()
    if kind.notation.given()
}


def converted(body: str, harness: str, kind: str, to: str, accept: frozenset[str] = frozenset()) -> Converted:
    text = f"---\ndescription: d\n---\n{body}"
    subject = Subject(Document(Source("x/go.md", text.encode())), get_harness(harness), kind)
    return convert_agent(subject, Job(get_harness(to), ".", accept=accept))


def body(made: Converted) -> str:
    assert made.error == ""
    return made.data.decode().rpartition("---\n")[2]


def lost(made: Converted) -> list[str]:
    return [loss.message for loss in made.losses if loss.code == "lost-placeholder"]


@pytest.mark.parametrize(
    ("text", "to", "written"),
    [
        ("Fix $ARGUMENTS.", "opencode", "Fix $ARGUMENTS."),
        ("Fix $ARGUMENTS.", "vscode", "Fix ${input:arguments}."),
        ("Fix $ARGUMENTS.", "copilot", "Fix ${input:arguments}."),
        ("Fix $ARGUMENTS.", "qwen", "Fix {{args}}."),
        ("Fix $0, $1 and $ARGUMENTS[2].", "opencode", "Fix $1, $2 and $3."),
        ("Fix $0, $1.", "vscode", "Fix ${input:argument1}, ${input:argument2}."),
        ("See @docs/a.md, a@b.md.", "vscode", "See #file:docs/a.md, a@b.md."),
        ("Use @babel/core for $1.50 and $100.", "vscode", "Use @babel/core for $1.50 and $100."),
        ("!`git diff` Hi!`x`", "qwen", "!{git diff} Hi!`x`"),
    ],
)
def test_placeholders_of_a_command(text: str, to: str, written: str) -> None:
    made = converted(text, "claude-code", "command", to)
    assert body(made) == written
    assert lost(made) == []


@pytest.mark.parametrize(
    ("text", "to", "written"),
    [
        ("Make ${input:topic:What about?}.", "claude-code", "Make $ARGUMENTS."),
        ("Make ${input:topic} as ${input:kind}; ${input:topic}!", "claude-code", "Make $0 as $1; $0!"),
        ("Make ${input:topic} as ${input:kind}.", "opencode", "Make $1 as $2."),
        ("Read #file:docs/a.md.", "opencode", "Read @docs/a.md."),
    ],
)
def test_inputs_of_a_prompt(text: str, to: str, written: str) -> None:
    made = converted(text, "vscode", "prompt", to)
    assert body(made) == written
    assert lost(made) == []


def test_what_has_no_equivalent_stays_and_is_reported_once() -> None:
    made = converted("!`git diff` for $ARGUMENTS, $ARGUMENTS", "claude-code", "command", "cursor")
    assert body(made) == "!`git diff` for $ARGUMENTS, $ARGUMENTS"
    assert lost(made) == ["Cursor does not replace `$ARGUMENTS`, !`git diff` in commands; kept as text."]


def test_long_lists_are_shortened() -> None:
    made = converted("$0 $1 $2 $3 $4 $5 $6", "claude-code", "command", "factory")
    assert lost(made) == ["Factory does not replace `$0`, `$1`, `$2`, `$3`, `$4` and 2 more in commands; kept as text."]


def test_a_command_that_seems_to_count_from_one_is_reported() -> None:
    assert lost(converted("$1 and $2", "claude-code", "command", "opencode")) != []
    assert lost(converted("$0 and $1", "claude-code", "command", "opencode")) == []


def test_a_file_without_frontmatter() -> None:
    subject = Subject(Document(Source("x/go.md", b"Fix $ARGUMENTS now.\n")), get_harness("claude-code"), "command")
    assert convert_agent(subject, Job(get_harness("vscode"), ".")).data == b"Fix ${input:arguments} now.\n"


def test_text_never_becomes_a_command_that_runs() -> None:
    text = "Write !`rm -rf /` into the log."
    assert converted(text, "vscode", "prompt", "claude-code").error == (
        "Claude Code would run !`rm -rf /`, which is plain text in VS Code"
    )
    assert body(converted(text, "vscode", "prompt", "claude-code", frozenset("*"))) == text


def test_agents_have_no_placeholders() -> None:
    made = converted("Explain $ARGUMENTS, $1 and !`x`.", "opencode", "agent", "claude-code")
    assert body(made) == "Explain $ARGUMENTS, $1 and !`x`."
    assert lost(made) == []


@pytest.mark.parametrize(
    ("notation", "problem"),
    [
        (Notation(command="!"), "mine.kinds.command.notation.command: '!' must have {command} once"),
        (Notation(argument=("{n}",)), "mine.kinds.command.notation.argument: '{n}' must have {n} once"),
        (Notation(arguments=("",)), "mine.kinds.command.notation: a placeholder must not be empty"),
    ],
)
def test_a_notation_that_would_match_anything_is_an_error(notation: Notation, problem: str) -> None:
    harness = get_harness("factory")
    kinds = {**harness.kinds, "command": harness.kinds["command"].replace(notation=notation)}
    with pytest.raises(DataError, match=re.escape(problem)):
        check_table(harness.replace(kinds=kinds), "mine", harness_ids())


@pytest.mark.parametrize("names", list(permutations(NOTATIONS, 2)), ids=" to ".join)
def test_every_placeholder_is_written_anew_or_reported(names: tuple[str, str]) -> None:
    source, target = (NOTATIONS[name] for name in names)
    for text in placeholders(source):
        data = f"a {text} b\r\n".encode() + b"\xff"
        made = convert_prompt(data, source, target)
        if made.lost:
            assert (made.lost, made.data) == ((text,), data)
        else:
            written = made.data[2:-5].decode()
            assert made.data == f"a {written} b\r\n".encode() + b"\xff"
            # Nothing is lost on the way back either; inputs may have other names.
            back = convert_prompt(made.data, target, source)
            assert back.lost == ()
            assert back.data == data or target.input or source.input or len(source.argument) > 1


def placeholders(notation: Notation) -> list[str]:
    return [
        *notation.arguments,
        *(template.replace("{n}", "2") for template in notation.argument),
        *([notation.input.replace("{name}", "topic")] if notation.input else []),
        *([notation.command.replace("{command}", "git diff")] if notation.command else []),
        *([notation.file.replace("{path}", "docs/a.md")] if notation.file else []),
        *notation.variables,
    ]


@pytest.mark.parametrize(
    ("text", "source", "to", "written"),
    [
        ("`awk '{print $1}'` $0", "claude-code", "vscode", "`awk '{print $1}'` ${input:argument1}"),
        ("\\$1 and \\$ARGUMENTS, $0", "claude-code", "vscode", "$1 and $ARGUMENTS, ${input:argument1}"),
        ("`awk '{print $1}'` costs $20, $2 $1", "opencode", "claude-code", "`awk '{print \\$1}'` costs \\$20, $1 $0"),
        ("Fix $1.", "opencode", "claude-code", "Fix $ARGUMENTS."),
        ("{{args}} $1 $ARGUMENTS !{git diff}", "qwen", "claude-code", "$ARGUMENTS \\$1 \\$ARGUMENTS !`git diff`"),
        ("Add `!` or `?`: !`ls`", "opencode", "qwen", "Add `!` or `?`: !{ls}"),
    ],
)
def test_text_that_looks_like_a_placeholder_stays_text(text: str, source: str, to: str, written: str) -> None:
    assert body(converted(text, source, "command", to)) == written


def test_text_that_the_target_cannot_keep_is_reported() -> None:
    assert lost(converted("It costs $20, \\$1: $0", "claude-code", "command", "opencode")) == [
        "OpenCode replaces `$20`, `$1` in commands, which is text in Claude Code, and has no way to keep it as text. "
        "Write it in another way."
    ]


@pytest.mark.parametrize("text", ["X=!`rm -rf build`", "(!`ls`)", "say `x !`ls``"])
def test_a_command_that_claude_code_does_not_run_does_not_begin_to_run(text: str) -> None:
    assert "OpenCode would run !`" in converted(text, "claude-code", "command", "opencode").error
    assert body(converted(text, "claude-code", "command", "opencode", frozenset("*"))) == text


def test_a_command_that_would_not_run_in_claude_code_is_reported() -> None:
    made = converted("X=!`date` and !`ls`", "opencode", "command", "claude-code")
    assert body(made) == "X=!`date` and !`ls`"
    assert lost(made) == ["Claude Code does not replace !`date` in commands; kept as text."]
