"""The words that callers choose from, as types; text from elsewhere is checked where it comes in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from enum import Enum
from typing import Literal

from fsagent_lint.errors import UserError
from fsagent_lint.suggest import hint

# begin: harnesses, written by docgen
HarnessId = Literal[
    "claude-code",
    "opencode",
    "copilot",
    "vscode",
    "agent-skills",
    "canonical",
    "codex",
    "cursor",
    "factory",
    "gemini",
    "kilo",
    "kiro",
    "qwen",
    "roo",
]
# end: harnesses

# begin: tool names, written by docgen
ToolName = Literal[
    "Shell",
    "ShellOutput",
    "Monitor",
    "RunTask",
    "RunTests",
    "RunNotebook",
    "Editor",
    "Schedule",
    "Read",
    "ViewImage",
    "NotebookRead",
    "List",
    "Glob",
    "Grep",
    "SemanticSearch",
    "Changes",
    "Lsp",
    "Diagnostics",
    "EditorContext",
    "Docs",
    "Skill",
    "ToolSearch",
    "McpResources",
    "MessageRead",
    "ScheduleRead",
    "History",
    "Memory",
    "Write",
    "CreateFolder",
    "Edit",
    "NotebookEdit",
    "Worktree",
    "WebFetch",
    "WebSearch",
    "RepoSearch",
    "Browser",
    "Publish",
    "Agent",
    "Message",
    "Workflow",
    "TodoWrite",
    "TodoRead",
    "Question",
    "Plan",
    "Goal",
    "Report",
    "Bash",
    "Task",
    "Todo",
]
# end: tool names

KindName = Literal["agent", "skill", "command", "prompt", "chatmode", "mode", "config"]

ToolFormat = Literal["auto", "native", "list", "csv", "space-separated", "map", "permission"]
"""How tools are written. native: names, form, quotes and order as people usually write them for the harness."""

OutputType = Literal["md", "json", "yaml"]

Shape = Literal["canonical", "opencode", "claude"]
"""Of JSON and YAML: canonical, as in opencode.json, or as `claude --agents` expects."""


PathLike = str | os.PathLike[str]


class NoConfig(Enum):
    """The type of `NO_CONFIG`."""

    NO_CONFIG = "no config"


NO_CONFIG = NoConfig.NO_CONFIG
"""In the place of a config file: the defaults apply, whatever config the project has."""
Config = PathLike | NoConfig | None


def check_choice(what: str, text: str, known: Iterable[str]) -> None:
    """UserError, which names the right ones, for text that is none of the known choices."""
    choices = [*known]
    if text not in choices:
        raise unknown_choice(what, text, choices)


def unknown_choice(what: str, text: str, known: Iterable[str]) -> UserError:
    return UserError(f"There is no {what} `{text}`. {hint(str(text), known)}")
