"""`python -m docgen.pictures`: take the pictures of the audit page again. Needs what `.ci/browsers` installs.

Pictures differ from one browser to the next, so they are not compared; the tests look at the page itself.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from fsagent_lint.audit.formats import render
from fsagent_lint.audit.run import audit
from fsagent_lint.linter.run import Request

IMAGES = Path(__file__).parents[1] / "docs/images"
SAMPLE = Path(__file__).parent / "audit_sample.toml"
WIDE, NARROW = {"width": 1280, "height": 860}, {"width": 400, "height": 860}


@contextmanager
def sample_project() -> Iterator[None]:
    """Within this context, the current folder is a project with the files of the sample."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, text in tomllib.loads(SAMPLE.read_text(encoding="utf-8")).items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        yield


def main() -> None:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "audit.html"
        with sample_project():
            page.write_text(render("html", audit(Request())), encoding="utf-8")
        browser = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        _take(browser, page, "audit-light", WIDE, "light", opened="planner")
        _take(browser, page, "audit-dark", WIDE, "dark")
        _take(browser, page, "audit-narrow", NARROW, "light")
        browser.close()


def _take(browser: Any, file: Path, name: str, viewport: dict[str, int], scheme: str, opened: str = "") -> None:
    page = browser.new_page(viewport=viewport, color_scheme=scheme)
    page.goto(file.as_uri())
    page.wait_for_selector(".agent")
    if opened:
        page.locator(".agent", has=page.locator("b", has_text=opened)).click()
        page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    IMAGES.mkdir(exist_ok=True)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


if __name__ == "__main__":
    main()
