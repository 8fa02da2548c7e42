"""What others add to their CI does what it says: the steps of action.yml and of the GitLab component, run as they stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
BROKEN = "---\nname: a b\ndescription: Reads.\ntools: Read, grep\n---\nRead.\n"
SOUND = "---\nname: reader\ndescription: Reads.\ntools: Read, Grep\n---\nRead.\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs bash")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    agent = tmp_path / "my project/.claude/agents/reader.md"
    agent.parent.mkdir(parents=True)
    agent.write_text(SOUND, encoding="utf-8")
    return tmp_path / "my project"


def program() -> str:
    return str(Path(sys.executable).with_name("fsagent-lint"))


def action_step(name: str) -> dict[str, Any]:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = [step for step in action["runs"]["steps"] if step.get("name") == name]
    found: dict[str, Any] = step
    return found


def run_step(name: str, project: Path, **env: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run a step as the runner does: what a file with a space says is one path. Also the outputs of the step."""
    step = action_step(name)
    runner = project.parent / "runner"
    runner.mkdir(exist_ok=True)
    output, summary = runner / "output", runner / "summary"
    output.write_text("")
    defaults = dict.fromkeys(step["env"], "")
    given = {"FSAGENT_LINT": program(), "RUNNER_TEMP": str(runner), "GITHUB_OUTPUT": str(output)}
    given |= {"GITHUB_STEP_SUMMARY": str(summary), "PATH": os.environ["PATH"], "HOME": str(runner)}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=project,
        env={**defaults, **given, **env},
        capture_output=True,
        encoding="utf-8",
    )
    return done, dict(line.split("=", 1) for line in output.read_text().splitlines())


def test_the_action_passes_where_all_is_well(project: Path) -> None:
    done, outputs = run_step("Check", project, FORMAT="github")
    assert (done.returncode, done.stderr) == (0, "")
    assert outputs["exit-code"] == "0"
    assert json.loads(Path(outputs["sarif-file"]).read_text(encoding="utf-8"))["runs"][0]["results"] == []


def test_the_action_fails_with_annotations_and_a_report(project: Path) -> None:
    (project / ".claude/agents/reader.md").write_text(BROKEN, encoding="utf-8")
    done, outputs = run_step("Check", project, FORMAT="github")
    assert done.returncode == 1
    assert "::error file=.claude/agents/reader.md,line=4," in done.stdout
    assert outputs["exit-code"] == "1"
    results = json.loads(Path(outputs["sarif-file"]).read_text(encoding="utf-8"))["runs"][0]["results"]
    assert "FA102" in {result["ruleId"] for result in results}


def test_options_and_paths_are_one_per_line(project: Path) -> None:
    (project / "other agents").mkdir()
    (project / "other agents/b.agent.md").write_text(BROKEN, encoding="utf-8")
    done, _ = run_step(
        "Check", project, FORMAT="text", ARGS="--harness=claude-code\n--select=FA102\n", PATHS="other agents\n"
    )
    assert done.returncode == 1
    assert "other agents/b.agent.md:4:" in done.stdout
    assert "reader.md" not in done.stdout


def test_a_run_that_fails_has_exit_code_2(project: Path) -> None:
    done, outputs = run_step("Check", project, FORMAT="github", ARGS="--select=nonsense")
    assert (done.returncode, outputs["exit-code"]) == (2, "2")
    assert "nonsense" in done.stderr


def test_every_other_action_is_pinned_to_a_commit() -> None:
    files = [ROOT / "action.yml", *(ROOT / ".github/workflows").glob("*.yml")]
    used = [line.strip() for file in files for line in file.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    others = [line for line in used if "uses: ./" not in line]
    assert others
    for line in others:
        assert len(line.partition("@")[2].partition(" ")[0]) == 40, line


def test_the_gitlab_component_writes_its_report(project: Path) -> None:
    (project / ".claude/agents/reader.md").write_text(BROKEN, encoding="utf-8")
    inputs, jobs = yaml.safe_load_all((ROOT / "templates/fsagent-lint.yml").read_text(encoding="utf-8"))
    job = jobs["fsagent-lint"]
    (line,) = job["script"]
    for name, facts in inputs["spec"]["inputs"].items():
        line = line.replace(f"$[[ inputs.{name} ]]", facts["default"])
    assert "$[[" not in line
    path = f"{Path(program()).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", "-ec", line], cwd=project, env={**os.environ, "PATH": path}, capture_output=True)
    assert done.returncode == 1
    report = json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text(encoding="utf-8"))
    assert "wrong-case-tool" in json.dumps(report)
