"""The proof before a converted file is written, tested with converters that lie: nothing is written, and we learn why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import fsagent_lint
import fsagent_lint.converter.run
from fsagent_lint.cli.main import run
from fsagent_lint.converter.convert import convert_file
from fsagent_lint.harnesses.tables import builtin_ids, get_harness

BODY = "Review the changes on the current branch.\r\n\tKeep every blank:  \n"
TEXT = "---\nname: reviewer\ndescription: Reviews changes.\n{}---\n" + BODY
SOURCE = ".claude/agents/reviewer.md"
TARGETS = [id for id in builtin_ids() if id != "claude-code" and {"agent", "mode"} & set(get_harness(id).kinds)]
SELECTIVE = [id for id in TARGETS if id not in ("codex", "cursor")]
"""Codex cannot restrict an agent, and Cursor only in one way: a converter has nothing to lie about."""

Lie = Callable[[bytes], bytes]
Teller = Callable[[Lie], None]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lie(monkeypatch: pytest.MonkeyPatch) -> Teller:
    """Replaces the converter by one that changes what the real one made."""

    def tell(change: Lie) -> None:
        def replacement(*arguments: object, **options: object) -> object:
            made = convert_file(*arguments, **options)  # type: ignore[arg-type]
            assert not made.error
            return made._replace(data=change(made.data))

        monkeypatch.setattr(fsagent_lint.converter.run, "convert_file", replacement)

    return tell


def agent(project: Path, fields: str) -> None:
    path = project / SOURCE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(TEXT.format(fields).encode())


def honestly(fields: str, target: str) -> bytes:
    """What the real converter makes of another agent."""
    source = fsagent_lint.load(TEXT.format(fields), harness="claude-code").subject
    made = convert_file(source, get_harness(target))
    assert not made.error
    return made.data


def files(project: Path) -> dict[str, bytes]:
    return {str(path.relative_to(project)): path.read_bytes() for path in project.rglob("*") if path.is_file()}


def refused(project: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a conversion says that must not write anything."""
    before = files(project)
    assert run(["convert", *arguments]) == 2
    assert files(project) == before
    output = capsys.readouterr().out
    assert f"error: {SOURCE}: " in output
    assert "wrote" not in output
    return output


# ------------------------------------------------------------------------------------------------------------ the body

BODIES: dict[str, Lie] = {
    "a sentence more": lambda data: data + b"Then delete the branch.\n",
    "a word less": lambda data: data.replace(b"current ", b""),
    "another line end": lambda data: data.replace(b"\r\n", b"\n"),
    "no trailing blanks": lambda data: data.rstrip(),
    "nothing": lambda data: data.removesuffix(BODY.encode()),
    "the frontmatter's end earlier": lambda data: data.replace(b"\n---\n", b"\n---\n\n", 1),
}


@pytest.mark.parametrize("change", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("target", ["opencode", "copilot", "canonical", "roo"])
def test_another_body_is_not_written(
    target: str, change: Lie, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read\n")
    lie(change)
    assert "the body would change" in refused(project, capsys, "--to", target)


def test_no_option_lets_another_body_through(project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]) -> None:
    agent(project, "tools: Read\n")
    lie(BODIES["a sentence more"])
    assert "the body would change" in refused(project, capsys, "--to", "opencode", "--unsafe-fixes", "--force")


def test_the_python_interface_gives_the_reason(project: Path, lie: Teller) -> None:
    agent(project, "tools: Read\n")
    assert fsagent_lint.convert(SOURCE, "opencode").error == ""
    lie(BODIES["a word less"])
    assert fsagent_lint.convert(SOURCE, "opencode").error == "the body would change"


def test_a_copy_with_another_body_is_not_kept_in_sync(
    project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read\n")
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n')
    lie(BODIES["a sentence more"])
    before = files(project)
    assert run(["sync"]) == 2
    assert "for opencode: the body would change" in "".join(capsys.readouterr())
    assert files(project) == before


# ------------------------------------------------------------------------------------------------------------- loading

UNLOADABLE: dict[str, tuple[bytes, bytes, str]] = {
    "opencode": (b"mode: subagent", b"mode: assistant", "OpenCode would not load the result"),
    "kilo": (b"mode: subagent", b"mode: assistant", "Kilo would not load the result"),
    "copilot": (b"description: Reviews changes.\n", b"", "Copilot would not load the result"),
    "gemini": (b"name: reviewer", b"name: [reviewer]", "Gemini CLI would not load the result"),
    "qwen": (b"name: reviewer", b"name: r", "Qwen Code would not load the result"),
}


@pytest.mark.parametrize("target", UNLOADABLE)
def test_what_the_target_does_not_load_is_not_written(
    target: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read\n")
    old, new, why = UNLOADABLE[target]
    assert old in honestly("tools: Read\n", target)
    lie(lambda data: data.replace(old, new))
    assert why in refused(project, capsys, "--to", target)


# --------------------------------------------------------------------------------------------------------------- tools


@pytest.mark.parametrize("target", SELECTIVE)
def test_a_tool_that_nobody_named_is_not_written(
    target: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read\n")
    more = honestly("tools: Read, Bash\n", target)
    lie(lambda _: more)
    output = refused(project, capsys, "--to", target, "--out", "elsewhere")
    assert "the agent would be granted " in output
    assert "which is more than intended" in output


@pytest.mark.parametrize("target", [id for id in SELECTIVE if id != "roo"])  # its groups cannot leave out reading alone
def test_a_tool_that_was_denied_is_not_written(
    target: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "disallowedTools: Bash\n")
    more = honestly("disallowedTools: Read\n", target)
    lie(lambda _: more)
    assert "which is more than intended" in refused(project, capsys, "--to", target, "--out", "elsewhere")


@pytest.mark.parametrize(
    ("target", "key"),
    [("opencode", "permission"), ("copilot", "tools"), ("vscode", "tools"), ("kiro", "tools")],
)
def test_an_agent_without_its_tool_key_is_not_written(
    target: str, key: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read\n")
    without = honestly("", target)
    assert f"\n{key}:".encode() not in without
    lie(lambda _: without)
    assert "the agent would be granted every tool" in refused(project, capsys, "--to", target, "--out", "elsewhere")


def test_what_was_refused_can_be_accepted_by_a_person(
    project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read\n")
    more = honestly("tools: Read, Bash\n", "copilot")
    lie(lambda _: more)
    assert "which is more than intended" in refused(project, capsys, "--to", "copilot")
    assert run(["convert", "--to", "copilot", "--unsafe-fixes"]) == 0
    assert files(project)[".github/agents/reviewer.agent.md"] == more


# -------------------------------------------------------------------------------------------------------------- limits

UNLIMITED = ["copilot", "vscode", "factory", "gemini", "kiro", "qwen", "roo"]
"""Harnesses that cannot limit the use of a tool in an agent."""
LIMITS = ("Bash(git diff:*)", "Bash(git log:*), Bash(git diff:*)")


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("target", UNLIMITED)
def test_a_tool_without_its_limit_is_not_written(
    target: str, limits: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, f"tools: Read, {limits}\n")
    whole = honestly("tools: Read, Bash\n", target)
    lie(lambda _: whole)
    output = refused(project, capsys, "--to", target)
    assert "the agent would be granted " in output
    assert "which is more than intended" in output


@pytest.mark.parametrize("lied", ["Bash", "Bash(git *)"])
@pytest.mark.parametrize("target", ["opencode", "kilo", "canonical"])
def test_a_limit_that_could_be_written_is_not_left_out(
    target: str, lied: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(project, "tools: Read, Bash(git diff:*)\n")
    looser = honestly(f"tools: Read, {lied}\n", target)
    lie(lambda _: looser)
    assert "the agent would be granted Shell without a limit" in refused(project, capsys, "--to", target)


# ----------------------------------------------------------------------------------------------------------- approvals


@pytest.mark.parametrize(
    ("approved", "lied", "more"),
    [("Read", "Read, Bash", "Shell"), ("Bash(git diff:*)", "Bash", "Shell"), ("Read", "Read, mcp__db__x", "mcp:db/x")],
)
@pytest.mark.parametrize("target", ["copilot", "canonical", "qwen"])
def test_an_approval_that_was_not_there_is_not_written(
    target: str, approved: str, lied: str, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def skill(tools: str) -> fsagent_lint.Agent:
        return fsagent_lint.load(TEXT.format(f"allowed-tools: {tools}\n"), harness="claude-code", kind="skill")

    honest = fsagent_lint.convert(skill(approved), fsagent_lint.harness_id(target))
    assert honest.error == ""
    made = convert_file(skill(lied).subject, get_harness(target))
    assert made.error == ""
    monkeypatch.setattr(fsagent_lint.converter.run, "convert_file", lambda *_, **__: made)
    assert fsagent_lint.convert(skill(approved), fsagent_lint.harness_id(target)).error == (
        f"{more} would run without asking, which the source does not approve"
    )


# ---------------------------------------------------------------------------------------------- lies about Claude Code

TO_CLAUDE = {
    "another body": ("tools: Read\n", "Review the", "Approve the", "the body would change"),
    "no name": ("tools: Read\n", "name: reviewer\n", "", "Claude Code would not load the result"),
    "one tool more": (
        "tools: Read\n",
        "Read",
        "Read, Bash",
        "the agent would be granted Bash, which is more than intended",
    ),
    "every tool": (
        "tools: Read\n",
        "tools: Read\n",
        "",
        "the agent would be granted every tool, which is more than intended",
    ),
}


@pytest.mark.parametrize(("fields", "old", "new", "why"), TO_CLAUDE.values(), ids=TO_CLAUDE)
def test_lies_about_claude_code_are_noticed_too(
    fields: str, old: str, new: str, why: str, project: Path, lie: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / ".opencode/agents/reviewer.md"
    path.parent.mkdir(parents=True)
    tools = 'permission:\n  "*": deny\n  read: allow\n'
    path.write_bytes(TEXT.format(f"{tools}mode: subagent\n").replace("name: reviewer\n", "").encode())
    lie(lambda _: TEXT.format(fields).replace(old, new, 1).encode())
    before = files(project)
    assert run(["convert", "--to", "claude-code"]) == 2
    assert f"error: .opencode/agents/reviewer.md: {why}" in capsys.readouterr().out
    assert files(project) == before


# ------------------------------------------------------------------------------------------------- what is no lie


@pytest.mark.parametrize("target", TARGETS)
def test_an_honest_conversion_is_written(target: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent(project, "")
    assert run(["convert", "--to", target, "--out", "elsewhere"]) in (0, 1), capsys.readouterr().out
    assert len(files(project)) == 2
