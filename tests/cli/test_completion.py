"""What shells complete, asked as the scripts of bash, zsh and fish ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fsagent_lint.cli.main import COMMANDS
from fsagent_lint.cli.outputs import FORMATS
from fsagent_lint.harnesses.tables import builtin_ids
from fsagent_lint.rules import all_rules

pytestmark = pytest.mark.usefixtures("unmeasured")
SHELLS = ("bash", "zsh", "fish")


def ask(folder: Path, shell: str, *words: str) -> str:
    """What the program prints for the words of a command line, the last of which is to be completed."""
    line = " ".join(["fsagent-lint", *words])
    position = words[-1] if shell == "fish" else str(len(words))
    environment = {
        **os.environ,
        "COMP_WORDS": line,
        "COMP_CWORD": position,
        "_FSAGENT_LINT_COMPLETE": f"{shell}_complete",
    }
    done = subprocess.run(
        [sys.executable, "-m", "fsagent_lint"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout


def completions(folder: Path, *words: str) -> list[str]:
    """The values for bash; a path, which bash completes itself, is `<file>`."""
    pairs = [line.split(",", 1) for line in ask(folder, "bash", *words).splitlines()]
    return ["<file>" if sort == "file" else value for sort, value in pairs]


def test_the_first_word_is_a_command_an_option_of_check_or_a_path(tmp_path: Path) -> None:
    assert completions(tmp_path, "") == list(COMMANDS)
    assert completions(tmp_path, "ex") == ["export", "explain"]
    assert {"--fix", "--select", "--help", "--version"} <= set(completions(tmp_path, "--"))
    assert completions(tmp_path, ".cl") == ["<file>"]


@pytest.mark.parametrize(
    "words",
    [
        ("--harness",),
        ("--target",),
        ("--from",),
        ("check", "--from"),
        ("a.md", "--harness"),
        ("convert", "--to"),
        ("convert", "--from"),
        ("explain", "--harness"),
        ("export", "--harness"),
        ("tools", "--harness"),
    ],
)
def test_harnesses_are_completed(words: tuple[str, ...], tmp_path: Path) -> None:
    assert set(completions(tmp_path, *words, "c")) == {id for id in builtin_ids() if id.startswith("c")}


def test_harnesses_of_the_config_are_completed_and_a_broken_config_does_no_harm(tmp_path: Path) -> None:
    config = tmp_path / "fsagent-lint.toml"
    table = (
        '[harness.{}]\nextends = "opencode"\n[harness.{}.kinds.agent]\nglobs = [".f/*.md"]\npath = ".f/{{name}}.md"\n'
    )
    config.write_text(table.format("open-fork", "open-fork"), encoding="utf-8")
    assert completions(tmp_path, "--target", "open") == ["opencode", "open-fork"]
    config.write_text("nonsense", encoding="utf-8")
    assert completions(tmp_path, "--target", "open") == ["opencode"]


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_rules_are_completed_by_name_code_and_family_also_after_a_comma(option: str, tmp_path: Path) -> None:
    names = [rule.name for rule in all_rules()]
    assert set(names) | {"default", "all"} <= set(completions(tmp_path, option, ""))
    assert completions(tmp_path, option, "unused") == ["unused-ignore"]
    assert completions(tmp_path, option, "FA9") == ["FA9", "FA901"]
    assert completions(tmp_path, option, "default,unused") == ["default,unused-ignore"]


def test_formats_are_completed(tmp_path: Path) -> None:
    assert completions(tmp_path, "--output-format", "") == list(FORMATS)
    assert completions(tmp_path, "--tool-format", "na") == ["native"]
    assert completions(tmp_path, "convert", "--tool-format", "c") == ["csv"]
    assert completions(tmp_path, "--fail-on", "") == ["error", "warning", "note"]
    assert completions(tmp_path, "explain", "--output-format", "j") == ["json"]


def test_explain_takes_rules_and_files(tmp_path: Path) -> None:
    assert completions(tmp_path, "explain", "unused") == ["unused-ignore"]
    assert completions(tmp_path, "explain", ".claude/a") == ["<file>"]
    assert completions(tmp_path, "explain", "") == ["<file>"]


def test_a_misspelt_command_is_no_error_while_it_is_typed(tmp_path: Path) -> None:
    assert completions(tmp_path, "chek", "--fi") == ["--fix"]


def test_zsh_and_fish_show_what_a_rule_reports(tmp_path: Path) -> None:
    summary = next(rule.summary for rule in all_rules() if rule.name == "unused-ignore")
    assert ask(tmp_path, "zsh", "--select", "unused").splitlines() == ["plain", "unused-ignore", summary]
    assert summary in ask(tmp_path, "fish", "--select", "unused")


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str) -> None:
    if shutil.which("bash") is None:
        pytest.skip("click asks bash for its version")
    environment = {**os.environ, "_FSAGENT_LINT_COMPLETE": f"{shell}_source"}
    command = [sys.executable, "-m", "fsagent_lint"]
    script = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
    assert f"_FSAGENT_LINT_COMPLETE={shell}_complete" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    """The script is loaded in a real bash, whose completion function is then called."""
    command = tmp_path / "fsagent-lint"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fsagent_lint "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    code = """
eval "$(_FSAGENT_LINT_COMPLETE=bash_source fsagent-lint)" 2>/dev/null
COMP_WORDS=(fsagent-lint convert --to open) COMP_CWORD=3
_fsagent_lint_completion fsagent-lint
echo "${COMPREPLY[@]}"
"""
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "opencode\n"
