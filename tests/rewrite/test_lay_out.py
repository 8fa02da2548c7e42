"""What is written for a target looks as people there write it, whatever the source looked like."""

from __future__ import annotations

import pytest
from fixing import look, rewritten

from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.policy import Action
from fsagent_lint.rewrite.entries import RenderedEntry
from fsagent_lint.rewrite.render import Rendered
from fsagent_lint.rewrite.rewrite import rewrite

SOURCES = [
    "tools: 'Edit,Bash'\n",
    "tools: [Edit, 'Bash']\n",
    "tools: [\n  Edit,\n  Bash\n]\n",
    "tools:\n- 'Edit'\n- Bash\n",
]


def native(tools: str, target: str, form: str) -> str:
    result = rewritten(look(f"---\ndescription: d\n{tools}---\n".encode(), "claude-code"), target, form, native=True)
    assert result is not None
    return result[0].document.source.yaml_text.removeprefix("description: d\n")


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    ("target", "form", "start"),
    [
        ("copilot", "list", 'tools: ["edit", "execute"]\n'),
        ("vscode", "list", 'tools: ["edit'),
        ("factory", "list", 'tools: ["Edit", '),
        ("claude-code", "csv", "tools: Edit, Bash\n"),
        ("gemini", "list", "tools:\n  - "),
        ("qwen", "list", "tools:\n  - "),
        ("kiro", "list", "tools:\n  - write\n  - shell\n"),
        ("canonical", "list", "tools:\n  - Edit\n  - "),
        ("opencode", "permission", 'permission:\n  "*": deny\n  edit: allow\n  bash: allow\n'),
    ],
)
def test_the_style_is_the_target_s(source: str, target: str, form: str, start: str) -> None:
    assert native(source, target, form).startswith(start)


def test_entries_with_comments_get_lines_of_their_own() -> None:
    assert native("tools:\n  - Edit # e\n  - Bash\n", "copilot", "list") == "tools:\n  - edit # e\n  - execute\n"


def test_a_new_key_is_written_in_the_usual_style() -> None:
    source = look(b"---\ndescription: d\n---\n", "copilot")
    rendered = Rendered("tools", "allow", (RenderedEntry("read", Action.ALLOW), RenderedEntry("web", Action.ALLOW)), ())
    edits = rewrite(source, (), rendered, "list")
    assert edits is not None
    assert 'tools: ["read", "web"]\n' in apply_edits(source.document.source.text, edits)


def test_names_come_in_their_usual_order() -> None:
    source = look(b"---\nslug: a\nname: A\ntools: [Bash, Edit, Read]\n---\n", "claude-code")
    there = source.like(get_harness("roo"), "mode")
    entries = tuple(RenderedEntry(name, Action.ALLOW) for name in ("command", "edit", "read"))
    rendered = Rendered("groups", "allow", entries, (), "fileRegex")
    edits = rewrite(source, source.values, rendered, "list", there, native=True)
    assert edits is not None
    text = apply_edits(source.document.source.text, edits)
    assert "groups:\n  - read\n  - edit\n  - command\n" in text
