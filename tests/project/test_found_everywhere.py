"""Agents that lie where no harness looks: found by name or content, or counted, never silently left out."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run

COPILOT = "---\ndescription: Reviews.\ntools: ['read', 'search']\n---\nReview it.\n"
CLAUDE = "---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep\n---\nReview it.\n"
SKILL = "---\nname: pdf\ndescription: Reads PDF files.\n---\nRead it.\n"
PAGE = "---\nname: Setup\ndescription: How to set it up.\n---\n```yaml\ntools: Read\n```\n"

Check = Callable[..., list[str]]


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    return tmp_path


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """The lines of the report."""

    def call(*arguments: str, status: int = 0) -> list[str]:
        assert run([*arguments]) == status
        return capsys.readouterr().out.splitlines()

    return call


@pytest.fixture
def files(check: Check) -> Check:
    """The files that a run checks, each with its harness and kind."""

    def call(*arguments: str, status: int = 0) -> list[str]:
        notes = [line.removeprefix("note: ") for line in check("-v", *arguments, status=status)]
        return [note for note in notes if re.fullmatch(r"[^:]+: [a-z-]+ [a-z]+", note)]

    return call


def test_a_file_name_that_says_what_it_is_counts_everywhere(files: Check) -> None:
    write(
        {
            "agents/reviewer.agent.md": COPILOT,
            "team/Reviewer.Agent.md": COPILOT,
            "chat/plan.chatmode.md": COPILOT,
            "rules/ask.prompt.md": "No frontmatter.\n",
            ".library/pdf/SKILL.md": SKILL,
            "skills/pdf/skill.md": SKILL,
            "skills/xls/SKILL.MD": SKILL.replace("pdf", "xls", 1),
            "skills/README.MD": CLAUDE,
            "agents/notes.MD": CLAUDE,
            ".claude/skills/pdf/skill.md": SKILL,
            "skills/pdf/reference.md": PAGE,
        }
    )
    expected = [
        ".claude/skills/pdf/skill.md: claude-code skill",
        ".library/pdf/SKILL.md: agent-skills skill",
        "agents/reviewer.agent.md: copilot agent",
        "chat/plan.chatmode.md: vscode chatmode",
        "rules/ask.prompt.md: vscode prompt",
        "skills/pdf/skill.md: agent-skills skill",
        "skills/xls/SKILL.MD: agent-skills skill",
        "team/Reviewer.Agent.md: copilot agent",
    ]
    assert files("--ignore", "unread-file") == expected
    Path(".git").rename("git")  # names need no git
    assert files("--ignore", "unread-file") == expected


def test_a_skill_with_fields_of_a_harness_is_its_own(files: Check) -> None:
    write({"skills/pdf/SKILL.md": SKILL.replace("---\nRead", "context: fork\nmodel: opus\n---\nRead")})
    assert files() == ["skills/pdf/SKILL.md: claude-code skill"]


def test_agents_are_recognised_in_folders_that_are_called_so(files: Check) -> None:
    write(
        {
            "agents/reviewer.md": CLAUDE,
            "agents/notes.md": "# Notes\n",
            "agents/README.md": CLAUDE,
            "agents/readme.pt-br.md": CLAUDE,
            "agents/readme-writer.md": CLAUDE,
            "agents/plain.md": SKILL,
            "categories/02-languages/go.md": CLAUDE,
            "categories/news.md": SKILL,
            "plugins/no-manifest/agents/scout.md": "---\ndescription: d\nmode: subagent\ntools:\n  bash: false\n---\nx\n",
            "plugins/no-manifest/commands/go.md": "---\ndescription: d\nargument-hint: '[x]'\n---\nGo.\n",
            "plugins/c/.cursor-plugin/plugin.json": "{}",
            "plugins/c/agents/cursor.md": "---\nname: c\ndescription: d\nreadonly: true\n---\nx\n",
            "src/content/agents/page.md": "---\nname: a\ndescription: d\nicon: x\nurl: y\n---\nx\n",
        }
    )
    expected = [
        "agents/plain.md: claude-code agent",
        "agents/readme-writer.md: claude-code agent",
        "agents/reviewer.md: claude-code agent",
        "categories/02-languages/go.md: claude-code agent",
        "plugins/c/agents/cursor.md: cursor agent",
        "plugins/no-manifest/agents/scout.md: opencode agent",
        "plugins/no-manifest/commands/go.md: claude-code command",
    ]
    assert files() == expected
    Path(".git").rename("git")
    assert files() == []  # only files that git lists are read


def test_what_looks_like_an_agent_and_is_not_checked_is_counted(check: Check) -> None:
    write({f"docs/{name}.md": CLAUDE for name in ("a", "b")})
    assert check()[0] == (
        "note: 2 files in docs/ look like agents but are not checked: pass them as arguments, or add `[[paths]]` to the config"
    )
    write(
        {
            f"{folder}/{name}.md": CLAUDE.replace("reviewer", name)
            for folder in ("lib", ".trae/agents", "tests/agents", "x/y")
            for name in "abc"
        }
    )
    write({"root.md": CLAUDE})
    assert check()[0] == (
        "note: 15 files look like agents but are not checked (3 in .trae/, 3 in lib/, 3 in tests/, 6 in 3 other "
        "folders): pass them as arguments, or add `[[paths]]` to the config"
    )
    assert json.loads("\n".join(check("--output-format", "json")))["summary"]["unchecked"] == 15
    write(
        {
            "fsagent-lint.toml": "exclude = ['tests/', '.trae/', 'x/', 'docs/']\n[[paths]]\nglob = 'lib/*.md'\nharness = 'claude-code'\n"
        }
    )
    assert check() == [
        "note: 1 file in ./ looks like an agent but is not checked: pass it as an argument, or add `[[paths]]` to the config",
        "No problems in 3 files.",
    ]
    assert check("root.md", "lib") == ["No problems in 4 files."]


def test_a_file_behind_a_link_is_checked_once_and_not_counted(check: Check) -> None:
    write({".claude/agents/reviewer.md": CLAUDE, ".kit/agents/tester.md": CLAUDE.replace("reviewer", "tester")})
    Path(".claude/agents/tester.md").symlink_to("../../.kit/agents/tester.md")
    assert check() == ["No problems in 2 files."]


def test_what_a_generator_writes_besides_approvals_hides_nothing(check: Check) -> None:
    write({".kit/commands/a.md": "---\ndescription: d\nallowed-tools: Read\nmade_by: x\nmade_on: y\nat: z\n---\nGo.\n"})
    assert check()[0].startswith("note: 1 file in .kit/ looks like an agent but is not checked")


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        "# Agents\n\n" + CLAUDE,
        "---\ntitle: Tools\ndescription: d\ntools: [Read]\n---\n",
        "---\nname: ci\ndescription: d\non: push\ntools:\n  github:\n---\n",
        "---\ndescription: d\napplyTo: '**'\nmodel: x\n---\n",
        "---\nname: n\ntools: Read\n---\n",
        "---\nname: n\ndescription: d\nauthor: a\nlayout: b\nmodel: c\n---\n",
        "---\nname: n\ndescription: d\n---\ntools: Read\nmodel: opus\n",
        "",
    ],
)
def test_guides_and_pages_are_not_counted(check: Check, text: str) -> None:
    write({"docs/page.md": text, "README.md": CLAUDE, "CLAUDE.md": CLAUDE, "rules/a.md": CLAUDE})
    write({"docs/x.instructions.md": CLAUDE, ".claude/output-styles/a.md": CLAUDE, ".github/workflows/w.md": CLAUDE})
    assert check()[0].startswith("No agent files found")


@pytest.mark.parametrize(
    "text",
    [
        CLAUDE,
        CLAUDE.replace("\n", "\r\n"),
        "\ufeff" + CLAUDE,
        "---\ndescription: d\ntools:\n  bash: false\n---\n",
        "---\nname: n\ndescription: d\ncolor: red\nemoji: x\n---\n",
        "---\nname: n\ndescription: d <example>\nContext: a\nuser: b\nassistant: c\n" + "x" * 2000 + "\n---\n",
    ],
)
def test_agents_elsewhere_are_counted(check: Check, text: str) -> None:
    Path("team").mkdir()
    Path("team/a.md").write_bytes(text.encode())
    assert check()[0].startswith("note: 1 file in team/ looks like an agent")


def test_only_the_first_kilobyte_is_looked_at(check: Check) -> None:
    write({"team/a.md": CLAUDE.replace("tools:", f"# {'x' * 1024}\ntools:")})
    assert check()[0].startswith("No agent files found")


def test_links_out_of_the_project_are_not_looked_at(check: Check, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a.md").write_text(CLAUDE)
    os.symlink(outside / "a.md", "a.md")
    os.symlink("nowhere.md", "b.md")
    assert check()[0].startswith("No agent files found")


def test_a_link_in_the_folder_of_a_harness_says_whose_a_file_is(files: Check) -> None:
    write({"agents/reviewer.md": CLAUDE, ".opencode/agents/x.md": "---\ndescription: d\n---\nx\n"})
    os.symlink("../../agents/reviewer.md", ".opencode/agents/reviewer.md")
    assert files(status=1) == [
        ".opencode/agents/reviewer.md: opencode agent",
        ".opencode/agents/x.md: opencode agent",
    ]


def test_test_data_is_counted_and_not_checked(check: Check) -> None:
    write({"x.agent.md": COPILOT, "src/__tests__/fixtures/wrong/SKILL.md": SKILL})
    assert [line for line in check() if "src/" in line or "No problems" in line] == [
        "note: 1 file in src/ looks like an agent but is not checked: pass it as an argument, or add `[[paths]]` to the config",
        "No problems in 1 file.",
    ]


def test_a_plugin_for_two_harnesses_has_the_agents_of_both(files: Check) -> None:
    write(
        {
            ".claude-plugin/plugin.json": '{"name": "plug"}',
            "agents/reviewer.agent.md": COPILOT,
            "agents/reviewer.md": CLAUDE,
            "skills/pdf/SKILL.md": SKILL,
        }
    )
    assert files() == [
        "agents/reviewer.agent.md: copilot agent",
        "agents/reviewer.md: claude-code agent",
        "skills/pdf/SKILL.md: claude-code skill",
    ]


def test_agents_of_one_name_in_two_collections_are_fine(check: Check) -> None:
    write({"categories/a/reviewer.md": CLAUDE, "categories/b/reviewer.md": CLAUDE})
    assert check() == ["No problems in 2 files."]


def test_agents_that_lie_elsewhere_know_each_other(check: Check) -> None:
    boss = "---\ndescription: Plans.\nagents: ['worker']\ntools: ['agent', 'read']\n---\nPlan it.\n"
    write({"team/boss.agent.md": boss, ".github/agents/other.agent.md": COPILOT})
    assert "the project has no agent `worker`" in "\n".join(check(status=1)).lower()
    write({"team/worker.agent.md": COPILOT})
    assert check() == ["No problems in 3 files."]
    assert check("team/boss.agent.md") == ["No problems in 1 file."]  # as a hook names it
    write({"library/boss.agent.md": boss})
    assert "library/boss.agent.md" not in "\n".join(check())
    assert "library/boss.agent.md" in "\n".join(check("library", status=1))


def test_skills_that_lie_elsewhere_are_known(check: Check) -> None:
    write({".claude/skills/pdfs/SKILL.md": SKILL.replace("pdf\n", "pdfs\n"), "skills/pdf/SKILL.md": SKILL})
    write({".claude/agents/a.md": "---\nname: a\ndescription: d\nskills: [pdf]\n---\nx\n"})
    assert check() == ["No problems in 3 files."]
    Path("skills/pdf/SKILL.md").unlink()
    assert "Did you mean `pdfs`?" in "\n".join(check(status=1))


def test_a_conversion_of_the_project_leaves_them_alone(check: Check) -> None:
    write({"agents/reviewer.md": CLAUDE, "x.agent.md": COPILOT, ".claude/agents/a.md": CLAUDE})
    check("convert", "--to", "opencode")
    assert [path.name for path in Path(".opencode/agents").iterdir()] == ["reviewer.md"]


def test_a_file_name_that_says_what_it_is_counts_in_plugins_too(files: Check) -> None:
    write(
        {
            "plugin.json": '{"name": "tools"}',
            "agents/a.agent.md": "---\ndescription: d\ntools: ['read']\n---\nx\n",
            "agents/b.md": "---\nname: b\ndescription: d\ntools: Read\n---\nx\n",
        }
    )
    assert files() == ["agents/a.agent.md: copilot agent", "agents/b.md: claude-code agent"]
