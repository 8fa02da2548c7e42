"""The command line as people see it: each folder of fixtures is a run with all that it prints and writes.

`cmd` holds the command lines, `before` the project that they run in (without one: the folder `project`), `stdin` what
is piped in. `stdout`, `stderr`, `exit` and `after` (files that are new or changed) are what is expected; the option
--update-golden writes them anew. Look at what it wrote before you commit it. A case with a file `lists-harnesses`
prints all of them: `python -m docgen` writes what is expected of it, so that a new table needs no other step.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fsagent_lint import __version__
from fsagent_lint.cli.main import run
from fsagent_lint.cli.outputs import FORMATS

FIXTURES = Path(__file__).parent / "fixtures"
PROJECT = FIXTURES / "project"
CASES = sorted(path.parent for path in FIXTURES.glob("*/cmd"))


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name in ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES") or name.startswith(
            ("GITHUB_", "RUNNER_", "GIT_")
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")  # 2026-12-01


Files = dict[str, str]
"""Texts by their path in the folder of a case; an empty one is as good as none."""


def write_golden(case: Path, files: Files) -> None:
    shutil.rmtree(case / "after", ignore_errors=True)
    for name in ("stdout", "stderr", "exit"):
        (case / name).unlink(missing_ok=True)
    for name, text in files.items():
        path = case / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def read_golden(case: Path) -> Files:
    paths = [case / name for name in ("stdout", "stderr", "exit")]
    paths += [path for path in sorted((case / "after").rglob("*")) if path.is_file()]
    return {path.relative_to(case).as_posix(): path.read_bytes().decode() for path in paths if path.is_file()}


def commands(case: Path) -> list[list[str]]:
    lines = [shlex.split(line) for line in (case / "cmd").read_text(encoding="utf-8").splitlines()]
    assert all(words[0] == "fsagent-lint" for words in lines)
    return [words[1:] for words in lines]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def replay(case: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Files:
    before = case / "before" if (case / "before").is_dir() else PROJECT
    shutil.copytree(before, root)
    monkeypatch.chdir(root)
    piped = (case / "stdin").read_bytes() if (case / "stdin").exists() else b""
    stdout, stderr, codes = "", "", []
    for words in commands(case):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped), encoding="utf-8"))
        codes.append(run(words))
        out, err = capsys.readouterr()
        stdout += out
        stderr += err
    files = {"stdout": stdout, "stderr": stderr, "exit": " ".join(map(str, codes)) + "\n"}
    old = snapshot(before)
    files |= {f"after/{name}": data.decode() for name, data in snapshot(root).items() if old.get(name) != data}
    return {name: normal(text, root) for name, text in files.items() if text}


def normal(text: str, root: Path) -> str:
    """Without what differs from one machine and from one release to the next."""
    text = text.replace(str(root), "@ROOT@").replace(os.sep.join(["@ROOT@", ""]), "@ROOT@/")
    return text.replace(f"version {__version__}", "version @VERSION@").replace(
        f'"version": "{__version__}"', '"version": "@VERSION@"'
    )


def test_there_are_cases() -> None:
    assert len(CASES) > 30


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_run_prints_and_writes_what_is_expected(
    case: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    files = replay(case, tmp_path / "root", monkeypatch, capsys)
    is_listing = (case / "lists-harnesses").exists()
    if request.config.getoption("--update-golden") or (is_listing and request.config.getoption("--update-listings")):
        write_golden(case, files)
    expected = read_golden(case)
    assert sorted(files) == sorted(expected)
    for name, text in files.items():
        assert text == expected[name], f"{case.name}/{name}"


# --------------------------------------------------------------------------------------------- beyond one run


def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "root"
    shutil.copytree(PROJECT, root)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("path", "code"), [(".claude/agents/clean.md", 0), (".claude/agents/reviewer.md", 1), ("nope.md", 2)]
)
def test_the_exit_code_is_the_same_for_every_format(
    name: str, path: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, monkeypatch)
    assert run(["check", "--output-format", name, path]) == code


def test_sarif_and_json_tell_of_the_same_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path, monkeypatch)
    assert run(["--output-format", "json", "--output-format", "sarif:out.sarif"]) == 1
    report = json.loads(capsys.readouterr().out)
    [sarif] = json.loads((root / "out.sarif").read_text(encoding="utf-8"))["runs"]
    rules = sarif["tool"]["driver"]["rules"]
    assert [result["ruleId"] for result in sarif["results"]] == [finding["code"] for finding in report["findings"]]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in sarif["results"])
    assert all(rule["help"]["markdown"] for rule in rules)


def test_color_is_for_terminals_and_for_those_who_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, monkeypatch)
    run([".claude/agents/reviewer.md"])
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    run([".claude/agents/reviewer.md"])
    assert "\x1b[1;31m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    run([".claude/agents/reviewer.md"])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", ["--diff", "--diff --output-format json", "convert --to vscode --diff .claude", "sync --check"]
)
def test_a_diff_in_colour_says_the_same(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path, monkeypatch)
    sync = '[sync]\nsource = ".claude/agents"\ntargets = ["vscode"]\n'
    (root / "fsagent-lint.toml").write_text(sync, encoding="utf-8")
    run(command.split())
    plain = capsys.readouterr()
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(command.split())
    colored = capsys.readouterr()
    for one, other in zip(plain, colored, strict=True):
        assert "\x1b" not in one
        assert re.sub(r"\x1b\[[0-9;]*m", "", other) == one
    both = colored.out + colored.err
    assert "\x1b[1m--- " in both
    assert "\x1b[36m@@ -" in both
    assert "\x1b[32m+" in both


def test_shown_settings_are_a_config_with_the_same_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "root"
    shutil.copytree(FIXTURES / "show-settings" / "before", root)
    monkeypatch.chdir(root)
    assert run(["--show-settings"]) == 0
    shown = capsys.readouterr().out
    (root / "fsagent-lint.toml").write_text(shown, encoding="utf-8")
    assert run(["--show-settings"]) == 0
    assert capsys.readouterr().out == shown.replace("pyproject.toml", "fsagent-lint.toml")


def test_without_a_command_check_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, monkeypatch)
    assert run(["check", "--output-format", "concise"]) == 1
    explicit = capsys.readouterr().out
    assert run(["--output-format", "concise"]) == 1
    assert capsys.readouterr().out == explicit


def test_a_run_over_changed_files_says_that_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path, monkeypatch)
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for arguments in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "x"], ["tag", "v1"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    assert (run(["--changed"]), capsys.readouterr().out) == (0, "No agent files changed since HEAD.\n")
    assert (run(["--since", "v1"]), capsys.readouterr().out) == (0, "No agent files changed since v1.\n")
    (root / ".claude/agents/clean.md").write_text("---\nname: clean\ndescription: d\n---\n", encoding="utf-8")
    assert (run(["--changed"]), capsys.readouterr().out) == (0, "No problems in 1 file.\n")


# ---------------------------------------------------------------------------------------------- real processes

COMMAND = [sys.executable, "-m", "fsagent_lint"]


def test_the_module_runs_and_its_exit_code_is_that_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, monkeypatch)
    done = subprocess.run(
        [*COMMAND, "--output-format", "concise"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "reviewer.md:4:" in done.stdout
    assert done.stderr == ""


def loaded_by_python() -> set[str]:
    """Modules that `-m` imports before the first line of ours: only `-P` protects these."""
    done = subprocess.run(
        [sys.executable, "-c", "import runpy, sys; print(*sys.modules)"], capture_output=True, text=True
    )
    return set(done.stdout.split())


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("safe", [False, True])
def test_a_folder_under_judgement_is_not_imported_from(
    safe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, monkeypatch)
    others = {"click", "frontmatter", "fsagent_lint", "libcst", "ruamel", "sitecustomize", "usercustomize", "yaml"}
    names = sys.stdlib_module_names | others
    if not safe:
        names -= loaded_by_python() | {"fsagent_lint"}
    assert {"re", "typing", "__future__", "gc", "subprocess", "click", "yaml"} <= names
    for name in names:
        (root / f"{name}.py").write_text(f"raise SystemExit('{name} comes from the project')\n", encoding="utf-8")
    command = [sys.executable, *(["-P"] if safe else []), *COMMAND[1:]]
    for arguments in (["--version"], [".claude/agents/clean.md"], ["explain", ".claude/agents/clean.md"]):
        done = subprocess.run([*command, *arguments], cwd=root, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    trap = subprocess.run(
        [sys.executable, "-c", "import typing"], cwd=root, capture_output=True, text=True, check=False
    )
    assert "comes from the project" in trap.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a folder that someone is in")
def test_a_folder_that_is_gone_is_no_traceback(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    for command in (COMMAND, [str(Path(sys.executable).with_name("fsagent-lint"))]):
        gone.mkdir()
        script = 'rmdir "$0" && exec "$@"'
        done = subprocess.run(["sh", "-c", script, str(gone), *command], cwd=gone, capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stderr == b"error: the current folder no longer exists.\n"


def test_names_are_utf8_whatever_the_locale_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, monkeypatch)
    path = root / ".claude/agents" / os.fsdecode("prüfer.md".encode())
    path.write_text("---\nname: prüfer\ndescription: d\ntools: Frob\n---\n", encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*COMMAND, "--output-format", "concise", str(path.relative_to(root))],
        cwd=root, env=environment, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "prüfer.md:4:8" in done.stdout.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGPIPE and no /dev/full")
def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, monkeypatch)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*COMMAND], cwd=root, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command", [[], ["rules"], ["explain", ".claude/agents/clean.md"], ["--output-file", "/dev/full"]]
)
def test_a_full_disk_is_an_error_and_no_traceback(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, monkeypatch)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *command], cwd=root, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(("command", "status"), [(["--no-such-option"], 2), (["rules"], 0), ([], 1)])
def test_an_error_that_nobody_can_be_told_of_is_still_in_the_exit_code(
    command: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, monkeypatch)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *command], cwd=root, stdout=subprocess.PIPE, stderr=full, check=False)
    assert done.returncode == status


def test_trouble_with_a_file_is_not_taken_for_trouble_with_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, monkeypatch)
    assert run(["--write-baseline", "no/such/folder/baseline.json"]) == 2
    assert capsys.readouterr().err == "error: no/such/folder/baseline.json: no such folder to write it into\n"
