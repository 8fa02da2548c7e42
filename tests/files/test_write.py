"""Writing: whole or not at all, whatever goes wrong; on real files, with real signals and real limits."""

from __future__ import annotations

import os
import random
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fsagent_lint.files import signals
from fsagent_lint.files.border import UnreadableError, UnwritableError
from fsagent_lint.files.read import MAX_SIZE, read_file, read_status
from fsagent_lint.files.write import append_report, create, read_snapshot, replace, write_report

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes, links and signals as POSIX has them")

OLD = "---\nname: {}\ndescription: d\ntools: read\n---\n" + "body\n" * 2000
NEW = OLD.replace("tools: read", "tools: Read")
NOBODY = 65534
COMMAND = (sys.executable, "-m", "fsagent_lint")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude/agents").mkdir(parents=True)
    return tmp_path


def agent(project: Path, name: str = "a") -> Path:
    path = project / f".claude/agents/{name}.md"
    path.write_text(OLD.format(name))
    return path


def fix(project: Path, *paths: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "--fix", *(paths or (".",))]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False, **options)  # type: ignore[call-overload,no-any-return]


def left_behind(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.name.startswith(".fsagent-lint-")]


# --------------------------------------------------------------------------------------------------- what is kept


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664, 0o2644])
def test_the_mode_is_kept(project: Path, mode: int) -> None:
    path = agent(project)
    path.chmod(mode)
    before = stat.S_IMODE(path.stat().st_mode)
    assert fix(project).returncode == 0
    assert path.read_text() == NEW.format("a")
    assert stat.S_IMODE(path.stat().st_mode) == before


def test_extended_attributes_are_kept(project: Path) -> None:
    path = agent(project)
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has none")
    assert fix(project).returncode == 0
    assert os.getxattr(path, "user.note") == b"mine"


def test_a_file_that_needs_no_change_is_not_written(project: Path) -> None:
    path = agent(project)
    path.write_text(NEW.format("a"))
    before = path.stat()
    assert fix(project).returncode == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_link_inside_the_project_stays_a_link(project: Path) -> None:
    path = agent(project)
    (project / "shared").mkdir()
    real = project / "shared/a.md"
    path.rename(real)
    path.symlink_to("../../shared/a.md")
    assert fix(project).returncode == 0
    assert path.is_symlink() and not real.is_symlink()
    assert real.read_text() == NEW.format("a")


def test_a_name_may_be_as_long_as_names_get(project: Path) -> None:
    path = project / f".claude/agents/{'x' * 252}.md"
    path.write_text(OLD.format("a"))
    fix(project)
    assert path.read_text() == NEW.format("a")


# ------------------------------------------------------------------------------------------------ what is refused


def test_a_link_that_leaves_the_project_is_not_followed(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "a.md"
    outside.write_text(OLD.format("secret"))
    (project / ".claude/agents/a.md").symlink_to(outside)
    done = fix(project)
    assert done.returncode == 2
    assert outside.read_text() == OLD.format("secret")
    assert "secret" not in done.stdout + done.stderr
    with pytest.raises(UnreadableError, match="is outside the project"):
        read_snapshot(str(project / ".claude/agents/a.md"))


def test_a_file_with_other_hard_links_is_not_changed(project: Path) -> None:
    path = agent(project)
    os.link(path, project / "other.md")
    done = fix(project)
    assert done.returncode == 2
    assert "hard links" in done.stderr + done.stdout
    assert path.read_text() == OLD.format("a")
    assert "wrong-case-tool" in done.stdout, "what is wrong with it is said all the same"


def test_a_read_only_file_is_not_changed(project: Path) -> None:
    path = agent(project)
    path.chmod(0o444)
    done = fix(project)
    assert done.returncode == 2
    assert "is read-only; not changed" in done.stdout + done.stderr
    assert path.read_text() == OLD.format("a")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(
    ("folder_mode", "why"), [(0o755, "cannot be written: Permission denied"), (0o777, "belongs to another user")]
)
def test_somebody_else_cannot_write(folder_mode: int, why: str) -> None:
    code = (
        "import os, sys\n"
        "from fsagent_lint.files.border import UnwritableError\n"
        "from fsagent_lint.files.write import read_snapshot, replace\n"
        f"os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "try: replace(read_snapshot(sys.argv[1]), b'new')\n"
        "except UnwritableError as error: print(error)"
    )
    with tempfile.TemporaryDirectory() as folder:  # nobody may enter pytest's own
        path = Path(folder, "a.md")
        path.write_text("old")
        path.chmod(0o666)
        path.parent.chmod(folder_mode)
        command = [sys.executable, "-c", code, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert why in done.stdout
        assert path.read_text() == "old"
        assert left_behind(path.parent) == []


def test_a_file_that_changed_meanwhile_is_not_overwritten(project: Path) -> None:
    path = agent(project)
    snapshot = read_snapshot(str(path))
    path.write_text("someone else's work")
    with pytest.raises(UnwritableError, match="changed by another program"):
        replace(snapshot, b"new")
    assert path.read_text() == "someone else's work"
    assert left_behind(project) == []


def test_a_change_that_the_clock_does_not_show_is_noticed(project: Path) -> None:
    path = agent(project)
    snapshot = read_snapshot(str(path))
    path.write_text(OLD.format("b"))
    os.utime(path, ns=(snapshot.status.st_atime_ns, snapshot.status.st_mtime_ns))
    with pytest.raises(UnwritableError, match="changed by another program"):
        replace(snapshot, b"new")
    assert path.read_text() == OLD.format("b")


def test_a_file_that_is_gone_is_not_made_again(project: Path) -> None:
    path = agent(project)
    snapshot = read_snapshot(str(path))
    path.unlink()
    with pytest.raises(UnwritableError, match="changed by another program"):
        replace(snapshot, b"new")
    assert not path.exists()


@pytest.mark.parametrize("step", ["fsync", "replace", "fchmod"])
def test_a_step_that_fails_leaves_the_old_file(project: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = agent(project)
    snapshot = read_snapshot(str(path))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(UnwritableError, match="cannot be written: No space left on device"):
        replace(snapshot, b"new")
    monkeypatch.undo()
    assert path.read_text() == OLD.format("a")
    assert left_behind(project) == []


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("limit", [0, 100, 4096, 9000])
def test_a_disk_that_is_full_leaves_the_old_file(project: Path, limit: int) -> None:
    path = agent(project)

    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = fix(project, preexec_fn=restrict)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert path.read_text() == OLD.format("a")
    assert left_behind(project) == []


# -------------------------------------------------------------------------------------------------------- creating


def test_a_new_file_comes_with_its_folders_and_the_usual_mode(project: Path) -> None:
    path = project / "x/y/a.md"
    create(str(path), b"new", str(project))
    assert path.read_bytes() == b"new"
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_creating_replaces_a_file_with_its_mode(project: Path) -> None:
    path = agent(project)
    path.chmod(0o640)
    create(str(path), b"new", str(project))
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)


def test_nothing_is_created_through_a_link_or_outside(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (project / "link").symlink_to(outside)
    (project / "a.md").symlink_to(outside / "a.md")
    for name in ("link/a.md", "link/deep/a.md", "a.md", "../b.md"):
        with pytest.raises(UnwritableError, match=r"is outside the project|is a link"):
            create(str(project / name), b"new", str(project))
    assert list(outside.iterdir()) == []


# --------------------------------------------------------------------------------------------------------- reading


def test_only_regular_files_of_bounded_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(MAX_SIZE + 1)
    (tmp_path / "link").symlink_to("large")
    for name, why in (
        ("pipe", "a named pipe, not a regular file"),
        ("large", "is larger than 16 MiB"),
        ("none", "no such file or folder"),
        ("a\0b", "invalid file name"),
        (".", "a folder, not a regular file"),
    ):
        with pytest.raises(UnreadableError, match=why):
            read_file(str(tmp_path / name))
    with pytest.raises(UnreadableError, match="Too many levels of symbolic links"):
        read_status(str(tmp_path / "link"))


# --------------------------------------------------------------------------------------------------------- signals


def start(project: Path) -> subprocess.Popen[bytes]:
    command = [*COMMAND, "--fix", "."]
    return subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=listen_to_signals
    )


def listen_to_signals() -> None:
    """Tests may run where nobody is there to interrupt them, and signals are ignored."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def wait_for_first(paths: list[Path], process: subprocess.Popen[bytes]) -> None:
    """Until the run is in the middle of its work."""
    while process.poll() is None and not any("tools: Read" in path.read_text() for path in paths[:3]):
        time.sleep(0.001)


def check_whole(paths: list[Path]) -> int:
    """Every file is exactly old or exactly new; how many are new."""
    for path in paths:
        assert path.read_text() in (OLD.format(path.stem), NEW.format(path.stem)), path
    return sum("tools: Read" in path.read_text() for path in paths)


@pytest.mark.usefixtures("unmeasured")  # what measures may be saving when the signal comes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_every_file_whole(project: Path, number: signal.Signals) -> None:
    paths = sorted(agent(project, f"a{count:03}") for count in range(150))
    process = start(project)
    wait_for_first(paths, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert (out, err) == (b"", b"error: stopped\n")
    assert 0 < check_whole(paths) < len(paths)
    assert left_behind(project) == []


@pytest.mark.usefixtures("unmeasured")
def test_a_signal_that_is_ignored_stays_ignored(project: Path) -> None:
    paths = sorted(agent(project, f"a{count:03}") for count in range(20))
    process = subprocess.Popen(
        [*COMMAND, "--fix", "."], cwd=project, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    wait_for_first(paths, process)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) == 0
    assert check_whole(paths) == len(paths)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("seed", range(6))
def test_a_kill_never_damages_a_file(project: Path, seed: int) -> None:
    chance = random.Random(seed)
    paths = sorted(agent(project, f"a{count:03}") for count in range(80))
    process = start(project)
    wait_for_first(paths, process)
    time.sleep(chance.uniform(0, 0.2))
    process.kill()
    process.communicate(timeout=60)
    check_whole(paths)
    assert fix(project).returncode == 0
    assert check_whole(paths) == len(paths)


def test_a_signal_waits_for_what_is_shielded(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    leave: Callable[[int], None] = left.append
    monkeypatch.setattr(signals, "_leave", leave)
    monkeypatch.setattr(signals._Shield, "pending", 0)
    with signals.shielded():
        with signals.shielded():
            signals._stop(signal.SIGTERM, None)
        assert left == []
    assert left == [signal.SIGTERM]
    signals._stop(signal.SIGINT, None)
    assert left == [signal.SIGTERM, signal.SIGINT]


# ------------------------------------------------------------------------------------------- where new files go


SECRET = "---\nname: a\ndescription: the secret\n---\n"


@pytest.fixture
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("outside") / "a.md"
    path.write_text(SECRET)
    return path


@pytest.mark.parametrize("whole_folder", [True, False])
@pytest.mark.parametrize(
    "command", ["convert --to opencode --diff", "convert --to opencode --force", "sync --check", "sync --force"]
)
def test_what_lies_behind_a_link_is_neither_shown_nor_written(
    command: str, whole_folder: bool, project: Path, secret: Path
) -> None:
    agent(project)
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n')
    (project / ".opencode").mkdir()
    if whole_folder:
        (project / ".opencode/agents").symlink_to(secret.parent)
    else:
        (project / ".opencode/agents").mkdir()
        (project / ".opencode/agents/a.md").symlink_to(secret)
    done = subprocess.run([*COMMAND, *command.split()], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        "is outside the project; not written" if whole_folder else "is a link; not written"
    ) in done.stdout + done.stderr
    assert "secret" not in done.stdout + done.stderr
    assert secret.read_text() == SECRET


def test_names_that_differ_in_letter_case_have_one_place(project: Path) -> None:
    for name in ("Reviewer", "reviewer"):
        (project / f".claude/agents/{name}.md").write_text(f"---\nname: {name}\ndescription: d\n---\n", "utf-8")
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/agents"\ntargets = ["copilot"]\n')

    def call(command: str) -> str:
        done = subprocess.run([*COMMAND, *command.split()], cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        return done.stdout + done.stderr

    assert "would both be written to this file" in call("convert --to copilot")
    assert not (project / ".github").exists()
    assert "already" in call("sync")
    assert len(list((project / ".github/agents").iterdir())) == 1


def test_a_report_replaces_a_file_in_one_step_and_keeps_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "report.html"
    report.write_bytes(b"old")
    report.chmod(0o640)
    write_report(str(report), b"new")
    assert (report.read_bytes(), stat.S_IMODE(report.stat().st_mode)) == (b"new", 0o640)

    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(UnwritableError, match="No space left"):
        write_report(str(report), b"newer")
    assert report.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["report.html"]


def test_a_report_can_go_to_a_file_with_two_names_and_be_appended_to(tmp_path: Path) -> None:
    report, twin = tmp_path / "report.md", tmp_path / "twin.md"
    report.write_bytes(b"old")
    os.link(report, twin)
    write_report(str(report), b"new\n")
    append_report(str(report), b"more\n")
    assert twin.read_bytes() == b"new\nmore\n"
