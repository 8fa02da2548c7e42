"""What the tests of the fixer share: fix a text in memory, and look at what became of it."""

from __future__ import annotations

from fsagent_lint.agent.subject import Context, Goal, Subject
from fsagent_lint.agent.widening import bounds_of
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import Fixed, fix_file
from fsagent_lint.model.finding import Finding, Safety
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.rewrite.entries import Wanted
from fsagent_lint.rewrite.render import Rendered, render
from fsagent_lint.rewrite.rewrite import rewrite
from fsagent_lint.rules import all_rules

SERVERS = frozenset(("db",))
"""MCP servers that the project defines: without them `db_query` could be anything."""
RULES = [rule for rule in all_rules() if not rule.opt_in]


def repair(
    text: str | bytes,
    harness: str,
    target: str | None = None,
    form: str = "auto",
    *,
    unsafe: bool = False,
    kind: str = "agent",
) -> Fixed:
    """What `--fix` makes of a file."""
    goal = Goal(get_harness(target) if target else None, {"*": form}, frozenset("*") if unsafe else frozenset())
    data = text.encode() if isinstance(text, str) else text
    wanted = Safety.UNSAFE if unsafe else Safety.SAFE
    return fix_file(
        Target("a.md", harness, kind, False),
        data,
        Checker(RULES, subjects=Subjects(Settings(mcp_servers=tuple(SERVERS)), goal)),
        wanted,
    )


def look(data: bytes, harness: str) -> Subject:
    """An agent file as a harness sees it."""
    return Subject(Document(Source("a.md", data)), get_harness(harness), "agent", Context(SERVERS))


def rewritten(before: Subject, target: str, form: str, *, native: bool) -> tuple[Subject, Rendered] | None:
    """An agent file with its tools for a target, and its entries; None if they cannot be written so."""
    there = before.like(get_harness(target))
    rendered = render(Wanted(bounds_of(before)), there.harness, there.kind, form)
    if rendered.role == "permission":
        form = "permission"
    edits = rewrite(before, before.values, rendered, form, there, native=native)
    if edits is None:
        return None
    source = before.document.source
    return look(source.to_bytes(apply_edits(source.text, edits)), target), rendered


def reports(fixed: Fixed) -> list[Finding]:
    """Everything that a run would report, about what was and what is."""
    return [*(lost.finding for lost in fixed.lost), *fixed.left]
