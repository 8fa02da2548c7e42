"""Python files that may define agents: recognised by a few bytes, so that a large tree costs almost nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import pattern
from fsagent_lint.files.border import Border, UnreadableError
from fsagent_lint.files.read import read_file

ROLE = ("claude-code", "python")
SUFFIX = ".py"
MODULES = ("claude_agent_sdk", "claude_code_sdk")
_MARKS = tuple(name.encode() for name in MODULES)
_NAMES = (b"AgentDefinition", b"ClaudeAgentOptions", b"ClaudeCodeOptions")
# A file that only mentions the SDK, such as this one, need not be parsed.
_IMPORT = pattern(rb"\b(?:from|import)\b[^\r\n]*\bclaude_(?:agent|code)_sdk\b")


def may_define_agents(data: bytes) -> bool:
    """Does a module import the SDK, and name a class that agents are made of?"""
    if not any(mark in data for mark in _MARKS) or _IMPORT.search(data) is None:
        return False
    return any(name in data for name in _NAMES)


def find_modules(folder: str, root: str | None, listed: list[str] | None = None) -> Iterator[str]:
    """Candidates below a folder, relative to it; `listed`: only these files, if the folder is listed already."""
    border = Border()
    project = border.project(folder) or folder
    for name in listed if listed is not None else _list(folder, root):
        try:
            if name.endswith(SUFFIX) and may_define_agents(read_file(f"{folder}/{name}", border, project)):
                yield name
        except UnreadableError:
            continue  # it is not known to define an agent, so it is not an error


def _list(folder: str, root: str | None) -> Iterator[str]:
    if root is not None:
        from fsagent_lint.files import git

        names = git.search_files(folder, MODULES, f"*{SUFFIX}")
        if names:
            yield from names
        if names or (names is not None and not git.is_ignored(folder)):
            return
        root = None  # as for markdown: the user named a folder that git ignores
    from fsagent_lint.files.walk import walk

    yield from walk(folder, root, [], SUFFIX)
