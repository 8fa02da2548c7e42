"""A repository that means harm: its links lead no command out of it, neither to read nor to write nor to remove."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fsagent_lint.agent.copy_marker import COPY_MARK
from fsagent_lint.cli.main import run
from fsagent_lint.files.border import Border, UnwritableError
from fsagent_lint.files.names import fold, is_git, name_problem
from fsagent_lint.files.write import create, remove

AGENT = "---\nname: {0}\ndescription: d\ntools: {1}\n---\nPrompt.\n"
SECRET = "hunter2"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of the user's, a repository itself, with files like those of the project."""
    folder = tmp_path / "outside"
    (folder / ".git").mkdir(parents=True)
    for name in (f"{SECRET}.md", f"{SECRET}.toml", f"{SECRET}.json"):
        (folder / name).write_text(AGENT.format("a", SECRET))
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / ".claude/agents").mkdir(parents=True)
    (folder / ".claude/agents/a.md").write_text(AGENT.format("a", "Read"))
    monkeypatch.chdir(folder)
    return folder


def state(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def untouched(outside: Path) -> Callable[[Capture], str]:
    """Asserts that nothing outside was changed or told, and returns what was printed."""
    before = state(outside)

    def check(capsys: Capture) -> str:
        output = "".join(capsys.readouterr())
        assert state(outside) == before
        assert SECRET not in output
        assert "internal error" not in output
        return output

    return check


# ------------------------------------------------------------------------------------------------ what the user names


@pytest.mark.parametrize("link", ["file", "new file", "folder", "into .git"])
@pytest.mark.parametrize("option", ["--output-file", "--write-baseline"])
def test_a_report_is_not_written_through_a_link_of_the_repository(
    link: str, option: str, project: Path, outside: Path, untouched: Callable[[Capture], str], capsys: Capture
) -> None:
    target = {
        "file": outside / f"{SECRET}.json",
        "new file": outside / "new.json",
        "folder": outside,
        "into .git": project / ".git/hook",
    }[link]
    (project / "report").symlink_to(target)
    name = "report/new.json" if link == "folder" else "report"
    assert run([option, name]) == 2
    assert "not written" in untouched(capsys)
    assert list((project / ".git").iterdir()) == []


def test_what_the_user_names_elsewhere_may_be_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/real.txt").write_text("old")
    (tmp_path / "mine/link.txt").symlink_to("real.txt")
    assert run(["--output-file", str(tmp_path / "mine/link.txt")]) == 0
    assert (tmp_path / "mine/real.txt").read_text() != "old"
    (project / "reports").mkdir()
    (project / "latest").symlink_to("reports")
    assert run(["--output-file", "latest/report.txt"]) == 0
    assert (project / "reports/report.txt").is_file()


def test_a_config_of_the_user_may_be_a_link(project: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles/config.toml").write_text('select = ["nothing"]\n')
    (tmp_path / "config.toml").symlink_to("dotfiles/config.toml")
    assert run(["--config", str(tmp_path / "config.toml")]) == 2
    assert "unknown rule 'nothing'" in capsys.readouterr().err
    assert project.is_dir()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such device")
def test_a_report_may_go_to_a_device(project: Path) -> None:
    (project / ".claude/agents/a.md").write_text(AGENT.format("a", "read"))
    command = [sys.executable, "-m", "fsagent_lint", "--output-file", "/dev/stdout", "--output-format", "concise"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stdout.startswith(".claude/agents/a.md:4:8:")


@pytest.mark.parametrize("options", ["--out out", "--out out/deeper", "--out out --force --with-mcp"])
def test_files_are_not_converted_into_a_linked_folder(
    options: str, project: Path, outside: Path, untouched: Callable[[Capture], str], capsys: Capture
) -> None:
    (project / "out").symlink_to(outside)
    assert run(["convert", "--to", "opencode", *options.split()]) == 2
    assert "is outside the project" in untouched(capsys)


@pytest.mark.parametrize(
    "command",
    ["check {}", "--fix --unsafe-fixes {}", "explain {}", "export --as json {}", "convert --to opencode {}", "{} -v"],
)
@pytest.mark.parametrize("path", [".claude/agents/b.md", "linked/hunter2.md", "linked", "."])
def test_no_command_reads_through_a_link(
    command: str, path: str, project: Path, outside: Path, capsys: Capture
) -> None:
    if path == "linked" and command.startswith(("explain", "export")):
        pytest.skip("takes files")
    (project / ".claude/agents/b.md").symlink_to(outside / f"{SECRET}.md")
    (project / ".opencode").mkdir()
    (project / ".opencode/agents").symlink_to(outside)
    (project / "linked").symlink_to(outside)
    assert run(command.format(path).split()) == 2
    output = "".join(capsys.readouterr()).replace(f"linked/{SECRET}.md", "")  # which the user named
    assert SECRET not in output
    assert "internal error" not in output
    assert state(outside)[f"{SECRET}.md"].decode() == AGENT.format("a", SECRET)


# ---------------------------------------------------------------------------------------------- what files and links say


@pytest.mark.parametrize(
    "config",
    [
        "fsagent-lint.toml",
        'baseline = "linked/hunter2.json"',
        'baseline = "../outside/hunter2.json"',
        'baseline = "b.json"',
        'harness-tables = ["t.toml"]',
        'harness-tables = ["linked/hunter2.toml"]',
        '[sync]\nsource = "linked"\ntargets = ["opencode"]',
        '[sync]\nsource = "../outside"\ntargets = ["opencode"]',
    ],
)
def test_a_config_leads_nowhere(config: str, project: Path, outside: Path, capsys: Capture) -> None:
    (project / "linked").symlink_to(outside)
    (project / "b.json").symlink_to(outside / f"{SECRET}.json")
    (project / "t.toml").symlink_to(outside / f"{SECRET}.toml")
    before = state(outside)
    if config == "fsagent-lint.toml":
        (project / config).symlink_to(outside / f"{SECRET}.toml")
    else:
        (project / "fsagent-lint.toml").write_text(f"{config}\n")
    assert run(["sync"] if "sync" in config else []) == 2
    output = "".join(capsys.readouterr())
    assert "is outside the project" in output
    assert "AGENT" not in output
    assert "description" not in output
    assert state(outside) == before
    assert not (project / ".opencode").exists()


def test_a_link_called_pyproject_is_no_config(project: Path, outside: Path, capsys: Capture) -> None:
    (outside / "config").write_text(f"[tool.fsagent-lint]\n{SECRET} = 1\n")
    before = state(outside)
    (project / "pyproject.toml").symlink_to(outside / "config")
    assert run([]) == 0
    assert SECRET not in "".join(capsys.readouterr())
    assert state(outside) == before


@pytest.mark.parametrize(
    "file", [".mcp.json", "opencode.json", ".opencode/tools", ".claude/skills", ".vscode/mcp.json"]
)
def test_neighbours_are_not_looked_for_behind_links(file: str, project: Path, outside: Path, capsys: Capture) -> None:
    (outside / "SKILL.md").write_text(AGENT.format(SECRET, SECRET))
    (outside / f"{SECRET}.ts").write_text("export const x = tool({})")
    path = project / file
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(outside / f"{SECRET}.json" if path.suffix else outside)
    (project / ".claude/agents/a.md").write_text(AGENT.format("a", "Read, mcp__db__query") + "skills: [x]\n")
    run(["-v"])
    run(["explain", ".claude/agents/a.md"])
    run(["convert", "--to", "opencode", "--with-mcp", "--diff"])
    assert SECRET not in "".join(capsys.readouterr())


def test_mcp_servers_are_not_written_through_a_link(
    project: Path, outside: Path, untouched: Callable[[Capture], str], capsys: Capture
) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": {"db": {"command": "x"}}}')
    (project / "opencode.json").symlink_to(outside / f"{SECRET}.json")
    (project / ".claude/agents/a.md").write_text(AGENT.format("a", "Read, mcp__db__query"))
    assert run(["convert", "--to", "opencode", "--with-mcp"]) == 2
    assert "opencode.json: is a link; not written" in untouched(capsys)


# -------------------------------------------------------------------------------------------------------- removing


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("target", ["opencode", "codex"])
def test_pruning_removes_nothing_behind_a_link(inside: bool, target: str, project: Path, outside: Path) -> None:
    place = project / "elsewhere" if inside else outside
    place.mkdir(exist_ok=True)
    (project / "fsagent-lint.toml").write_text(f'[sync]\nsource = ".claude/agents"\ntargets = ["{target}"]\n')
    (project / f".{target}").mkdir()
    ending = "toml" if target == "codex" else "md"
    run(["sync", "--unsafe-fixes"])
    copy = project / f".{target}/agents/a.{ending}"
    assert COPY_MARK.encode() in copy.read_bytes()
    copy.rename(place / f"old.{ending}")
    copy.parent.rmdir()
    copy.parent.symlink_to(place)
    before = state(place)
    run(["sync", "--prune", "--force", "--unsafe-fixes"])
    assert before.items() <= state(place).items()


def test_pruning_removes_no_file_of_a_skill_behind_a_link(project: Path, outside: Path) -> None:
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/skills"\ntargets = ["opencode"]\n')
    (project / ".claude/skills/x").mkdir(parents=True)
    (project / ".claude/skills/x/SKILL.md").write_text("---\nname: x\ndescription: d\n---\nx\n")
    (project / ".opencode/skills").mkdir(parents=True)
    for name in ("x", "gone"):
        (project / f".opencode/skills/{name}").symlink_to(outside)
    (outside / ".fsagent-lint-copies").write_text(f"0000000000000000  {SECRET}.md\n")
    before = state(outside)
    assert run(["sync", "--prune", "--force"]) == 2
    assert state(outside) == before


def test_a_copy_does_not_replace_its_source_through_a_link(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n')
    (project / ".opencode").mkdir()
    (project / ".opencode/agents").symlink_to("../.claude/agents")
    before = (project / ".claude/agents/a.md").read_bytes()
    assert run(["sync", "--force", "--prune"]) == 2
    assert (project / ".claude/agents/a.md").read_bytes() == before


def test_nothing_is_removed_outside_or_in_git(project: Path, outside: Path) -> None:
    (project / "linked").symlink_to(outside)
    (project / ".git/config").write_text("")
    for path in ("linked/hunter2.md", ".git/config", "../outside/hunter2.md", ".GIT/config"):
        with pytest.raises(UnwritableError):
            remove(str(project / path), str(project))
    remove(str(project / "linked"), str(project))  # the link itself
    assert (outside / "hunter2.md").is_file()


def test_a_folder_that_becomes_a_link_while_a_file_is_written(
    project: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project / "agents"
    folder.mkdir()

    def swap(handle: int) -> None:
        folder.rename(project / "old")
        folder.symlink_to(outside)
        monkeypatch.undo()
        os.fsync(handle)

    monkeypatch.setattr(os, "fsync", swap)
    with pytest.raises(UnwritableError):
        create(str(folder / "new.md"), b"x", str(project))
    assert not (outside / "new.md").exists()


# --------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    [".git", ".GIT", ".Git ", ".git.", ".git . .", "git~1", "GIT~1", ".git:x", ".g\u200cit", ".git::$INDEX_ALLOCATION"],
)
def test_names_that_a_disk_takes_for_git(name: str, project: Path) -> None:
    assert is_git(name)
    refused = r"\.git" if name.isascii() else r"\.git|invalid file name"  # a disk may know ASCII alone
    with pytest.raises(UnwritableError, match=refused):
        create(str(project / name / "hooks/post-checkout"), b"x", str(project))
    with pytest.raises(UnwritableError, match=refused):
        Border().writable(str(project / name))


@pytest.mark.parametrize("name", [".github", ".gitignore", "git", "digit~1", ".gitx", "审查员"])
def test_names_that_only_look_like_it(name: str) -> None:
    assert not is_git(name)
    assert name_problem(name) == ""


@pytest.mark.parametrize(
    "name", ["con", "NUL", "aux.md", "com1", "lpt9.x.md", "COM¹", "conin$", "nul ", "con .md", "a.", "a ", "a:b", "a\\b",
             "a/b", "a\nb", "a\x1bb", "a\u202eb", "", ".", "..", "...", "x" * 256, "é" * 128, "git~1", "a?", "a*", "a|b"]
)  # fmt: skip
def test_names_that_not_every_system_can_have(name: str) -> None:
    assert name_problem(name)


def test_one_file_on_a_disk_that_ignores_case() -> None:
    assert fold("é/Straße") == fold("E\u0301/STRASSE")
    assert fold("a") != fold("á")


def test_a_table_cannot_write_into_git_by_another_name(project: Path, capsys: Capture) -> None:
    table = '[harness.opencode.kinds.agent]\npath = "{}/hooks/{{name}}.md"\n'
    for name in (".GIT", ".git.", "git~1"):
        (project / "fsagent-lint.toml").write_text(table.format(name))
        assert run(["convert", "--to", "opencode"]) == 2
        assert "must lie in the project" in "".join(capsys.readouterr())


def test_sync_reports_copies_that_are_one_file_elsewhere(project: Path, capsys: Capture) -> None:
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n')
    (project / ".claude/agents/a.md").write_text(AGENT.format("Straße", "Read"), encoding="utf-8")
    (project / ".claude/agents/b.md").write_text(AGENT.format("strasse", "Read"))
    assert run(["sync"]) == 2
    assert "is already the copy of .claude/agents/a.md" in "".join(capsys.readouterr())


# ---------------------------------------------------------------------------------------------------- cleaning up

OLD = time.time() - 3 * 3600


def leftover(folder: Path, name: str, age: float = OLD) -> Path:
    path = folder / name
    path.write_text("half")
    os.utime(path, (age, age))
    return path


@pytest.mark.parametrize("tools", ["read", "Read"])
def test_what_killed_runs_left_is_removed_by_the_next_fix(tools: str, project: Path, outside: Path) -> None:
    folder = project / ".claude/agents"
    (folder / "a.md").write_text(AGENT.format("a", tools))
    gone = leftover(folder, ".fsagent-lint-abcd_012.tmp")
    new = leftover(folder, ".fsagent-lint-abcdefgh.tmp", time.time())
    kept = [
        leftover(folder, name)
        for name in (".fsagent-lint-abcdefg.tmp", ".fsagent-lint-ABCDEFGH.tmp", "x.fsagent-lint-abcdefgh.tmp",
                     ".fsagent-lint-abcdefgh.tmp.bak", ".fsagent-lint-copies")
    ]  # fmt: skip
    (folder / ".fsagent-lint-aaaaaaaa.tmp").mkdir()
    os.utime(folder / ".fsagent-lint-aaaaaaaa.tmp", (OLD, OLD))
    (folder / ".fsagent-lint-bbbbbbbb.tmp").symlink_to(leftover(outside, ".fsagent-lint-cccccccc.tmp"))
    for option in ("--diff", "--quiet"):
        run([option])
        assert gone.exists()  # these write nothing
    assert run(["--fix"]) == 0
    assert not gone.exists()
    assert all(path.exists() for path in (new, *kept))
    assert (folder / ".fsagent-lint-aaaaaaaa.tmp").is_dir()
    assert (folder / ".fsagent-lint-bbbbbbbb.tmp").is_symlink()
    assert (outside / ".fsagent-lint-cccccccc.tmp").is_file()


def test_two_fixes_at_the_same_time_both_succeed(project: Path) -> None:
    paths = [project / f".claude/agents/agent{number}.md" for number in range(200)]
    for path in paths:
        path.write_text(AGENT.format(path.stem, "read, Grep"))
    command = [sys.executable, "-m", "fsagent_lint", "--fix"]
    runs = [
        subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(4)
    ]
    for each in runs:
        output, _ = each.communicate(timeout=120)
        assert (each.returncode, "changed by another program" in output) == (0, False), output
    assert all(path.read_text() == AGENT.format(path.stem, "Read, Grep") for path in paths)
    assert not list(project.rglob("*.tmp"))


def test_a_change_by_somebody_else_is_kept(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    path = project / ".claude/agents/a.md"
    path.write_text(AGENT.format("a", "read"))

    def edit(handle: int) -> None:
        monkeypatch.undo()
        path.write_text("mine")
        os.fsync(handle)

    monkeypatch.setattr(os, "fsync", edit)
    assert run(["--fix", str(path)]) == 2
    assert "was changed by another program meanwhile" in "".join(capsys.readouterr())
    assert path.read_text() == "mine"
