"""Hooks of MkDocs: the site also has the pages at the top of the repository, and folders in its navigation."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from playground.bundle import bundle

ROOT = Path(__file__).parents[1]
TOP = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
"""Pages at the top of the repository, and where the site has them."""
_LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """`rules/*` in the navigation stands for the pages of a folder."""
    config.nav = [_expanded(entry, Path(config.docs_dir)) for entry in config.nav or []]
    return config


def _expanded(entry: Any, docs: Path) -> Any:
    if not isinstance(entry, dict):
        return entry
    ((title, value),) = entry.items()
    if isinstance(value, list):
        return {title: [_expanded(each, docs) for each in value]}
    if not value.endswith("/*"):
        return entry
    pages = sorted((docs / value[:-2]).glob("*.md"), key=lambda path: (path.name != "README.md", path.name))
    return {title: [{_title(path): path.relative_to(docs).as_posix()} for path in pages]}


def _title(page: Path) -> str:
    return next(line.removeprefix("# ") for line in page.read_text(encoding="utf-8").splitlines() if line[:2] == "# ")


def on_post_build(config: MkDocsConfig) -> None:
    """What the playground runs is not of the documentation, and is not built twice."""
    bundle(Path(config.site_dir, "assets/pyodide"))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, path in TOP.items():
        files.append(File.generated(config, path, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Links between files of the repository, as links of the site; what the site does not have is only named."""
    path = page.file.src_uri
    source = {moved: name for name, moved in TOP.items()}.get(path, f"docs/{path}")

    def moved(link: re.Match[str]) -> str:
        text, target, anchor = link.groups(default="")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        inside = TOP.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if target == "README.md":
            inside = "README.md"
        if inside is None:
            return f"{text} (`{target}`)"
        return f"[{text}]({posixpath.relpath(inside, posixpath.dirname(path) or '.')}{anchor})"

    return _LINK.sub(moved, markdown)
