"""The page of an audit in a real browser: filter, sort, open, keyboard, print, accessibility, and nothing from outside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from audit_projects import Lay, agent, audited

from fsagent_lint.audit.before import at
from fsagent_lint.audit.formats import render
from fsagent_lint.audit.run import audit
from fsagent_lint.linter.run import Request

expect = pytest.importorskip("playwright.sync_api").expect
AXE = os.environ.get("AXE_CORE", "")
"""The file `axe.min.js` of the npm package axe-core."""

ATTACK = '"><img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>{{7*7}}'
FILES = {
    ".claude/agents/lead.md": agent("lead", "tools: Read, Agent(builder)"),
    ".claude/agents/builder.md": agent("builder", "tools: bash, Bash, Write"),
    ".claude/agents/free.md": agent("free"),
    ".claude/agents/hostile.md": agent(f"'{ATTACK}'", f"tools: [Read, '{ATTACK}']", body=ATTACK),
    ".claude/agents/rtl.md": agent("مراجع\u202eevil", "tools: Read"),
    ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nGo.\n",
    ".opencode/agents/scoped.md": agent(
        "scoped", 'permission: {"*": deny, bash: {"*": deny, "git *": allow}, edit: ask}'
    ),
    ".opencode/agents/broken.md": "---\ntools: Read\n---\nx\n",
    "fsagent-lint.toml": '[audit]\nforbid = ["execute+write"]\n',
}


class Shown:
    """A page that is open, and everything that it complained about or asked for."""

    def __init__(self, browser: Any, file: Path, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.url = file.as_uri()
        self.page.goto(self.url)

    def row(self, name: str) -> Any:
        """The row of the agent whose name contains some text."""
        return self.page.locator(".agent", has=self.page.locator("b", has_text=name))

    def names(self) -> list[str]:
        found: list[str] = self.page.locator(".agent .who b").all_inner_texts()
        return found

    def axe(self) -> list[tuple[str, str]]:
        """What axe-core finds wrong: rule and element."""
        self.page.evaluate(Path(AXE).read_text(encoding="utf-8") + "; 0")
        found = self.page.evaluate("axe.run({resultTypes: ['violations']})")
        return [(each["id"], node["html"]) for each in found["violations"] for node in each["nodes"]]

    def is_clean(self) -> bool:
        return self.complaints == [] and self.requests == [self.url] and not self.page.evaluate("'hacked' in window")


@pytest.fixture
def shown(lay: Lay, browser: Any, tmp_path: Path) -> Iterator[Shown]:
    lay(FILES)
    file = tmp_path / "audit.html"
    file.write_text(render("html", audited()), encoding="utf-8")
    found = Shown(browser, file)
    yield found
    found.context.close()


def test_the_page_asks_for_nothing_and_complains_about_nothing(shown: Shown) -> None:
    assert shown.page.title() == "Agent audit"
    assert len(shown.names()) == 8
    for position in range(8):
        shown.page.locator(".agent").nth(position).click()
    assert shown.is_clean()


def test_hostile_names_are_text(shown: Shown) -> None:
    shown.row("onerror").click()
    details = shown.page.locator("#details")
    assert ATTACK in details.locator("h2").inner_text()
    assert ATTACK in details.locator("pre").inner_text()
    assert shown.page.locator("img").count() == 0
    assert shown.page.locator("script").count() == 2
    assert "49" not in details.locator("h2").inner_text()
    assert shown.is_clean()


def test_a_script_that_is_not_in_the_policy_does_not_run(shown: Shown) -> None:
    shown.page.evaluate(
        "() => { const s = document.createElement('script'); try { s.text = 'window.hacked = 1' } catch {} document.body.append(s) }"
    )
    assert not shown.page.evaluate("'hacked' in window")
    assert shown.complaints


def test_text_from_right_to_left_stays_in_its_place(shown: Shown) -> None:
    name = shown.page.locator(".agent b", has_text="مراجع")
    assert name.get_attribute("dir") == "auto"
    assert "\u202e" not in name.inner_text() and r"\u202e" in name.inner_text()


def test_search_and_filters_narrow_the_matrix(shown: Shown) -> None:
    page = shown.page
    page.fill("#search", "builder bash")
    assert shown.names() == ["builder"]
    page.click("button[type=reset]")
    expect(page.locator(".agent")).to_have_count(8)
    page.select_option("#harness", "opencode")
    assert sorted(shown.names()) == ["broken", "scoped"]
    page.select_option("#harness", "")
    page.select_option("#kind", "skill")
    assert shown.names() == ["s"]
    page.select_option("#kind", "")
    page.select_option("#folder", ".opencode/agents/")
    assert sorted(shown.names()) == ["broken", "scoped"]
    page.select_option("#folder", "")
    page.select_option("#rule", "wrong-case-tool")
    assert sorted(shown.names()) == ["broken", "builder"]
    assert page.locator("#count").inner_text() == "2 of 8"


def test_tiles_and_chips_select_agents(shown: Shown) -> None:
    page = shown.page
    page.click("[data-can=execute]")
    assert sorted(shown.names()) == ["builder", "free", "scoped"]
    assert page.locator("[data-can=execute]").get_attribute("aria-pressed") == "true"
    page.click("[data-can=delegate]")
    assert shown.names() == ["free"]
    page.click("[data-can=delegate]")
    page.click("[data-only=forbidden]")
    assert sorted(shown.names()) == ["builder", "free", "scoped"]
    page.click("[data-can=execute]")
    page.click("[data-only=forbidden]")
    page.click("[data-only=reaches]")
    assert shown.names() == ["lead"]
    assert page.locator("[data-only=gained]").is_hidden()
    page.click("[data-only=reaches]")
    for chip in page.locator(".chip:visible").all():
        chip.click()
        assert len(shown.names()) == int(chip.locator("b").inner_text())
        chip.click()


def test_columns_sort_in_both_directions(shown: Shown) -> None:
    page = shown.page
    page.get_by_role("columnheader", name="Execute").get_by_role("button").click()
    assert set(shown.names()[:2]) == {"builder", "free"}
    assert page.get_by_role("columnheader", name="Execute").get_attribute("aria-sort") == "ascending"
    page.get_by_role("columnheader", name="Execute").get_by_role("button").click()
    assert set(shown.names()[-2:]) == {"builder", "free"}
    page.get_by_role("columnheader", name="Findings").get_by_role("button").click()
    counts = [page.locator(".agent").nth(at).locator(".tally").count() > 0 for at in range(8)]
    assert counts == sorted(counts, reverse=True)


def test_the_keyboard_is_enough(shown: Shown) -> None:
    page = shown.page
    page.locator(".agent").first.focus()
    focused = "document.activeElement.getAttribute('aria-rowindex')"
    for key, row in (
        ("ArrowDown", "3"),
        ("End", "9"),
        ("ArrowUp", "8"),
        ("Home", "2"),
        ("PageDown", "9"),
        ("Home", "2"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == row, key
    page.keyboard.press("Enter")
    assert page.locator("#details").is_visible()
    assert page.evaluate("document.activeElement.id") == "details"
    page.keyboard.press("Escape")
    assert page.locator("#details").is_hidden()
    assert page.evaluate(focused) == "2"
    assert page.locator('.agent[tabindex="0"]').count() == 1


def test_the_details_say_what_each_harness_makes_of_the_file(shown: Shown) -> None:
    shown.row("builder").click()
    text = shown.page.locator("#details").inner_text()
    for part in (
        "Claude Code",
        "Copilot",
        "VS Code",
        "Forbidden by the policy",
        "wrong-case-tool",
        "tools: bash, Bash, Write",
    ):
        assert part in text
    assert shown.page.locator("#details svg text", has_text="lead").count() == 1
    shown.page.keyboard.press("Escape")
    shown.row("scoped").click()
    text = shown.page.locator("#details").inner_text()
    assert "git *" in text and "asks" in text
    shown.page.keyboard.press("Escape")
    shown.row("broken").click()
    assert "does not load" in shown.page.locator("#details").inner_text()


def test_delegation_has_its_picture(shown: Shown) -> None:
    texts = shown.page.locator("#picture svg text").all_text_contents()
    assert "lead" in texts and "builder" in texts
    assert any("run commands" in text for text in texts)
    assert shown.page.locator("#picture svg").get_attribute("role") == "img"


@pytest.mark.skipif(not AXE, reason="needs axe-core, see .ci/browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing(lay: Lay, browser: Any, tmp_path: Path, scheme: str, width: int) -> None:
    lay(FILES)
    file = tmp_path / "audit.html"
    file.write_text(render("html", audited()), encoding="utf-8")
    shown = Shown(browser, file, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    assert shown.axe() == []
    shown.row("builder").click()
    assert shown.axe() == []
    shown.context.close()


def test_changes_since_a_revision_are_on_the_page(lay: Lay, browser: Any, tmp_path: Path) -> None:
    from test_docs import git

    folder = lay({".claude/agents/a.md": agent("a", "tools: Read")})
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "x")
    lay({".claude/agents/a.md": agent("a", "tools: Read, Bash")})
    file = tmp_path / "audit.html"
    file.write_text(render("html", audit(Request(), before=at("HEAD", Request()))), encoding="utf-8")
    shown = Shown(browser, file)
    assert "execute denied → given" in shown.page.locator(".changes").inner_text().replace("\n", " ")
    shown.page.click("[data-only=gained]")
    assert shown.names() == ["a"]
    assert shown.is_clean()
    shown.context.close()


def test_thousands_of_agents_have_rows_only_where_they_are_seen_and_all_on_paper(
    lay: Lay, browser: Any, tmp_path: Path
) -> None:
    lay({f".opencode/agents/a{number:04}.md": agent(f"a{number:04}") for number in range(3000)})
    file = tmp_path / "audit.html"
    file.write_text(render("html", audited()), encoding="utf-8")
    shown = Shown(browser, file)
    page = shown.page
    page.wait_for_selector(".agent")
    assert page.locator(".agent").count() < 200
    page.locator(".agent").first.focus()
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.textContent").startswith("a2999")
    expect(page.locator(".agent").nth(249)).to_have_count(0)
    page.fill("#search", "a1234")
    assert shown.names() == ["a1234"]
    page.fill("#search", "")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".agent").count() == 3000
    assert shown.is_clean()
    shown.context.close()


def test_a_project_without_agents_is_a_page_that_says_so(lay: Lay, browser: Any, tmp_path: Path) -> None:
    lay({})
    file = tmp_path / "audit.html"
    file.write_text(render("html", audited()), encoding="utf-8")
    shown = Shown(browser, file)
    assert "No agents found" in shown.page.inner_text("main")
    assert shown.is_clean()
    shown.context.close()
