"""The hooks that this repository offers: which files they are given, and a real run of pre-commit."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from docgen.__main__ import ROOT
from fsagent_lint.files.globs import Glob
from fsagent_lint.harnesses.tables import all_harnesses, get_harness, harness_ids
from fsagent_lint.project.places import TellingNames

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
FILES = re.compile(HOOKS["fsagent-lint"]["files"])
GLOBS = [
    Glob(glob.removeprefix("{plugin}/"), anywhere=True)
    for id in harness_ids()
    for kind in get_harness(id).kinds.values()
    for glob in kind.globs
]

AGENTS = [
    ".claude/agents/a.md",
    ".claude/agents/team/deep/a.md",
    "packages/web/.claude/agents/a.md",
    ".claude/commands/a.md",
    ".claude/skills/pdf/SKILL.md",
    ".opencode/agent/a.md",
    ".opencode/agents/a.md",
    ".opencode/mode/a.md",
    ".opencode/command/git/a.md",
    ".github/agents/a.agent.md",
    ".github/agents/a.md",
    ".github/chatmodes/a.chatmode.md",
    ".github/prompts/a.prompt.md",
    "agents/a.md",
    "plugins/review/agents/a.md",
    "plugins/review/commands/a.md",
    "plugins/review/skills/pdf/SKILL.md",
    ".roomodes",
    "packages/web/.kilocodemodes",
    ".roo/commands/a.md",
    "a.agent.md",
    "team/Reviewer.Agent.md",
    "chat/a.chatmode.md",
    "library/a.prompt.md",
    ".github/prompts/old/a.prompt.md",
    "pdf/SKILL.md",
    "pdf/skill.md",
    "pdf/SKILL.MD",
    ".claude/skills/pdf/skill.md",
]
COLLECTED = ["categories/02-languages/go.md", "categories/go.md", "agent/a.md", "droids/a.md"]
OTHERS = [
    "README.md",
    "CLAUDE.md",
    "AGENTS.md",
    "docs/agents.md",
    "docs/guide/setup.md",
    ".github/workflows/triage.md",
    ".github/copilot-instructions.md",
    ".github/instructions/python.instructions.md",
    ".github/prompts/README.md",
    ".claude/settings.md",
    ".claude/rules/style.md",
    ".claude/skills/pdf/reference.md",
    ".opencode/modes/deep/a.md",
    ".claude/agents/a.txt",
    "my.claude/agents.md",
    "xagents/a.md",
    "agents/a.markdown",
    "x.roomodes",
    "a.agents.md",
    "my-SKILL.md",
    ".roomodes.bak",
]


@pytest.mark.parametrize("path", [*AGENTS, *COLLECTED])
def test_agents_are_passed(path: str) -> None:
    assert FILES.search(path)


@pytest.mark.parametrize("path", ["agents.py", "src/team/agents.py"])
def test_python_modules_are_passed(path: str) -> None:
    assert FILES.search(path)


@pytest.mark.parametrize("path", OTHERS)
def test_other_markdown_is_not(path: str) -> None:
    assert not FILES.search(path)


@pytest.mark.parametrize("path", [*AGENTS, *OTHERS])
def test_the_expression_says_what_the_tables_say(path: str) -> None:
    is_found = any(glob.matches(path) for glob in GLOBS) or TellingNames(all_harnesses()).include(path)
    assert bool(FILES.search(path)) == is_found


def test_checking_and_fixing_see_the_same_files() -> None:
    assert set(HOOKS) == {"fsagent-lint", "fsagent-lint-fix", "fsagent-lint-sync", "fsagent-lint-sync-fix"}
    for id in ("fsagent-lint", "fsagent-lint-fix"):
        hook = HOOKS[id]
        assert hook["files"] == FILES.pattern
        assert (hook["language"], hook["types"], hook["require_serial"]) == ("python", ["text"], True)


BAD = "---\nname: {name}\ndescription: Reviews.\ntools: read, Bash(git diff:*)\n---\n"
SAMPLE = {
    ".claude/agents/reviewer.md": BAD.format(name="reviewer"),
    ".claude/agents/reader.md": "---\nname: reader\ndescription: Reads.\ntools: Read\n---\n",
    "plugins/x/.claude-plugin/plugin.json": '{"name": "x"}\n',
    "plugins/x/agents/helper.md": BAD.format(name="helper"),
    "README.md": BAD.format(name="readme"),
    "fsagent-lint.toml": "[sync]\nsource = '.claude/agents'\ntargets = ['opencode']\n",
}


def repository(folder: Path) -> Path:
    """Everything in a folder, committed."""
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "all"]):
        settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *settings, *command], cwd=folder, env=environment(), check=True)
    return folder


def environment() -> dict[str, str]:
    """No word of a git or pre-commit that these tests may be run by."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "PYTHON"))}


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.skipif(importlib.util.find_spec("pre_commit") is None, reason="needs pre-commit")
def test_pre_commit_installs_and_runs_the_hooks(tmp_path: Path) -> None:
    ours, sample = tmp_path / "ours", tmp_path / "sample"
    for name in ("fsagent_lint", "docgen"):
        shutil.copytree(ROOT / name, ours / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, ours)
    for path, text in SAMPLE.items():
        (sample / path).parent.mkdir(parents=True, exist_ok=True)
        (sample / path).write_text(text, encoding="utf-8", newline="\n")
    repository(ours)
    repository(sample)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(ours), "--all-files", "--color=never"],
        cwd=sample,
        env={**environment(), "PRE_COMMIT_HOME": str(tmp_path / "home")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if "satisfies the requirement hatchling" in done.stdout:
        pytest.skip("needs a package index")
    check, fix, sync, write = re.split(r"^fsagent-lint (?:--fix|sync(?: --check)?)\.+", done.stdout, flags=re.MULTILINE)
    assert done.returncode == 1, done.stdout
    assert re.search(r"^fsagent-lint\.+Failed$", check, re.MULTILINE), done.stdout
    for path in (".claude/agents/reviewer.md", "plugins/x/agents/helper.md"):
        assert f"{path}:4:8: error FA102" in check and f"{path}:4:14: error FA306" in check
    assert check.count("reader.md:") == 1 and "[stale-copy]" in check and "README.md" not in done.stdout
    assert sync.startswith("Failed") and ".opencode/agents/reviewer.md" in sync
    assert write.startswith("Failed") and (sample / ".opencode/agents/reviewer.md").exists()
    assert "Fixed 2 problems in 2 files." in fix
    for path in (".claude/agents/reviewer.md", "plugins/x/agents/helper.md"):
        assert (sample / path).read_text(encoding="utf-8") == SAMPLE[path].replace("read", "Read")
