"""How each harness reads frontmatter: the readers that tables refer to by name.

Every reader starts from libyaml's result; only these modules implement what a harness does differently.
"""

from __future__ import annotations

from collections.abc import Callable

from fsagent_lint.effect.readers.claude import read_claude, read_claude_until_nul, read_claude_without_bom
from fsagent_lint.effect.readers.opencode import read_kilo, read_matter, read_opencode
from fsagent_lint.effect.readers.others import (
    read_codex_skill,
    read_copilot,
    read_factory,
    read_gemini,
    read_gemini_skill,
    read_qwen,
    read_roo,
    read_vscode,
)
from fsagent_lint.effect.readers.reading import Reading, read_core, read_data
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind

READERS: dict[str, Callable[[Document], Reading]] = {
    "core": read_core,
    "data": read_data,
    "vscode": read_vscode,
    "roo": read_roo,
    "matter": read_matter,
    "claude": read_claude,
    "claude-without-bom": read_claude_without_bom,
    "claude-until-nul": read_claude_until_nul,
    "opencode": read_opencode,
    "kilo": read_kilo,
    "copilot": read_copilot,
    "gemini": read_gemini,
    "gemini-skill": read_gemini_skill,
    "qwen": read_qwen,
    "codex-skill": read_codex_skill,
    "factory": read_factory,
}


def read(document: Document, harness: Harness, kind: Kind) -> Reading:
    """A document as a harness reads it; JSON and TOML have no dialects."""
    return READERS[kind.reader or ("data" if document.is_data else harness.reader)](document)
