"""Python files that may define agents: recognised by a few bytes, so that a large tree costs almost nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsagent_lint._fast import pattern
from fsagent_lint.files.border import Border, UnreadableError
from fsagent_lint.files.read import read_file

ROLE = ("claude-code", "python")
SUFFIX = ".py"
MODULES = ("claude_agent_sdk", "claude_code_sdk")
_MARKS = tuple(name.encode() for name in MODULES)
_NAMES = (b"AgentDefinition", b"ClaudeAgentOptions", b"ClaudeCodeOptions")
# A file that only mentions the SDK, such as this one, need not be parsed.
_IMPORT = pattern(rb"\b(?:from|import)\b(?:(?!\b(?:from|import)\b)[^\r\n])*\bclaude_(?:agent|code)_sdk\b")


def may_define_agents(data: bytes) -> bool:
    """Does a module import the SDK, and name a class that agents are made of?"""
    if not any(mark in data for mark in _MARKS) or _IMPORT.search(data) is None:
        return False
    return any(name in data for name in _NAMES)


def find_modules(folder: str, names: Iterable[str], border: Border) -> Iterator[str]:
    """Those of the Python files below a folder, relative to it, that may define agents."""
    project = border.project(folder) or folder
    for name in names:
        try:
            if may_define_agents(read_file(f"{folder}/{name}", border, project)):
                yield name
        except UnreadableError:
            continue  # it is not known to define an agent, so it is not an error
