"""Python files that may define agents: told by a few bytes, so that a large tree costs next to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import pattern
from fsagent_lint.files.read import UnreadableError, read_file

ROLE = ("claude-code", "python")
SUFFIX = ".py"
MODULES = ("claude_agent_sdk", "claude_code_sdk")
_MARKS = tuple(name.encode() for name in MODULES)
_NAMES = (b"AgentDefinition", b"ClaudeAgentOptions", b"ClaudeCodeOptions")
# A file that only speaks of the SDK, as this one does, need not be parsed.
_IMPORT = pattern(rb"\b(?:from|import)\b[^\r\n]*\bclaude_(?:agent|code)_sdk\b")


def may_define_agents(data: bytes) -> bool:
    """Does a module import the SDK, and name what its agents are made of?"""
    if not any(mark in data for mark in _MARKS) or _IMPORT.search(data) is None:
        return False
    return any(name in data for name in _NAMES)


def find_modules(folder: str, root: str | None, among: list[str] | None = None) -> Iterator[str]:
    """Candidates below a folder, relative to it; `among`: only these, where somebody has looked already."""
    for name in among if among is not None else _list(folder, root):
        try:
            if name.endswith(SUFFIX) and may_define_agents(read_file(f"{folder}/{name}")):
                yield name
        except UnreadableError:
            continue  # it is not known to be an agent, so nobody misses it


def _list(folder: str, root: str | None) -> Iterator[str]:
    if root is not None:
        from fsagent_lint.files import git

        names = git.search_files(folder, MODULES, f"*{SUFFIX}")
        if names:
            yield from names
        if names or (names is not None and not git.is_ignored(folder)):
            return
        root = None  # as for markdown: a folder that git ignores was named all the same
    from fsagent_lint.files.walk import walk

    yield from walk(folder, root, [], SUFFIX)
