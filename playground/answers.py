"""What the page asks: the command line, run on one file in a folder of its own. In the browser, that folder is in memory."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import get_harness, harness_ids

NAME = "agent"


def places() -> str:
    """Where files may lie: harness, kind and path."""
    found = [
        {"harness": harness.title, "kind": name, "path": kind.path.format(name=NAME)}
        for harness in map(get_harness, harness_ids())
        for name, kind in harness.kinds.items()
        if kind.path and kind.path.endswith(".md")
    ]
    return json.dumps(found)


def targets() -> str:
    """The harnesses that agents can be converted for."""
    known = map(get_harness, harness_ids())
    return json.dumps(
        [{"id": each.id, "title": each.title} for each in known if any(each.kinds[kind].path for kind in each.kinds)]
    )


def answer(path: str, text: str) -> str:
    """The findings, what each harness grants, and the text after the safe fixes, as JSON."""
    with _project(path, text) as file:
        checked = _run("check", "--output-format", "json", path)
        explained = _run("explain", "--output-format", "json", path)
        _run("check", "--fix", path)
        return json.dumps(
            {"checked": checked, "explained": explained, "fixed": file.read_bytes().decode("utf-8", "replace")}
        )


def convert(path: str, text: str, target: str) -> str:
    """The file for another harness, and what the command line reports about it, as JSON."""
    with _project(path, text):
        done = _run("convert", "--to", target, "--out", "converted", path)
        written = [each for each in sorted(Path("converted").rglob("*")) if each.is_file()]
        files = {each.relative_to("converted").as_posix(): each.read_text(encoding="utf-8") for each in written}
        return json.dumps({"files": files, "report": done["errors"] + done["output"], "status": done["status"]})


def _run(*args: str) -> dict[str, Any]:
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = run(args)
    return {"status": status, "output": output.getvalue(), "errors": errors.getvalue()}


@contextlib.contextmanager
def _project(path: str, text: str) -> Iterator[Path]:
    """A project with one file, as the current folder."""
    before = os.getcwd()
    folder = tempfile.mkdtemp()
    try:
        file = Path(folder, path).resolve()
        if not file.is_relative_to(Path(folder).resolve()):
            raise ValueError("the path leads out of the project")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        os.chdir(folder)
        yield file
    finally:
        os.chdir(before)
        shutil.rmtree(folder)
