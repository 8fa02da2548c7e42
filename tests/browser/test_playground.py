"""The playground gives the answers of the command line, and sends nothing anywhere."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.adapters import names
from conformance.recording import recordings, versions
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.rules import all_rules
from fsagent_lint.testing import unmark
from playground.answers import answer, convert

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FILES = 200


def files() -> list[tuple[str, str]]:
    """Files with mistakes, from the examples of rules and the recordings: the same ones in each run."""
    examples = ((each.harness, each.kind, unmark(each.text)[0]) for rule in all_rules() for each in rule.examples)
    recorded = (
        (id, probe.kind, probe.text)
        for id in names()
        for recording in recordings(id, versions(id)[0]).values()
        for probe, _ in recording.probes
    )
    places = {(place(harness, kind), text) for harness, kind, text in (*examples, *recorded)}
    return random.Random(1).sample(sorted(each for each in places if each[0].endswith(".md")), FILES)


def place(harness: str, kind: str) -> str:
    facts = get_harness(harness).kinds.get(kind) if harness else None
    return facts.path.format(name="probe") if facts is not None else ""


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on(
        "request", lambda request: None if request.url.startswith((site, "blob:")) else problems.append(request.url)
    )
    page.goto(f"{site}playground/")
    page.wait_for_function(
        "document.getElementById('playground-status').textContent.includes('finding')", timeout=120_000
    )
    yield page
    page.close()
    assert problems == []


def ask(page: Page, call: str, *args: str) -> dict[str, Any]:
    result: dict[str, Any] = page.evaluate("([call, args]) => playground.ask(call, ...args)", [call, list(args)])
    return result


def test_it_says_what_the_command_line_says(page: Page) -> None:
    for path, text in files():
        assert ask(page, "answer", path, text) == json.loads(answer(path, text)), (path, text)
        assert ask(page, "convert", path, text, "opencode") == json.loads(convert(path, text, "opencode")), (path, text)


def test_its_answers_are_those_of_a_process(tmp_path: Path) -> None:
    for at, (path, text) in enumerate(files()[:5]):
        project = tmp_path / str(at)
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        command = [sys.executable, "-m", "fsagent_lint", "--output-format", "json", path]
        done = subprocess.run(command, cwd=project, capture_output=True, encoding="utf-8")
        assert json.loads(answer(path, text))["checked"]["output"] == done.stdout


def test_findings_show_carets_and_lead_to_their_place(page: Page) -> None:
    finding = page.locator(".playground-finding", has_text="wrong-case-tool")
    assert finding.locator("pre").inner_text().splitlines()[-1].strip() == "^^^^"
    finding.get_by_role("button", name="line 4").click()
    area = page.locator("#playground-text")
    assert area.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == "read"


def test_the_link_holds_the_text(page: Page, browser: Browser) -> None:
    page.fill("#playground-text", "---\nname: größer\ndescription: d\ntools: Read\n---\n<b>hi</b>\n")
    page.wait_for_function("document.getElementById('playground-status').textContent === '0 findings'")
    page.wait_for_function("before => location.hash !== before", arg=page.url.partition("#")[2])
    other = browser.new_page()
    other.goto(page.url)
    assert "name: größer" in other.input_value("#playground-text")
    other.close()


def test_text_from_a_file_is_never_markup(page: Page) -> None:
    page.fill("#playground-text", "---\nname: a\ndescription: d\ntools: 'b<img src=x onerror=alert(1) '\n---\n")
    page.wait_for_selector(".playground-finding >> text=b<img")
    assert page.locator("#try img").count() == 0


def test_tabs_work_with_the_keyboard(page: Page) -> None:
    page.focus("#playground-tab-findings")
    page.keyboard.press("ArrowRight")
    assert page.locator("#playground-effects").is_visible()
    assert not page.locator("#playground-findings").is_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#playground-convert").is_visible()
    page.wait_for_selector("#playground-converted >> text=.opencode/agents/reviewer.md")
