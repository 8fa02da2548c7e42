"""The canonical tools: one vocabulary that every harness maps to and from."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import cache

from fsagent_lint._fast import NamedTuple


class Risk(StrEnum):
    """What harm a tool can do; conversion must never add a risk."""

    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"
    NETWORK = "network"
    DELEGATE = "delegate"
    INTERACT = "interact"


HARMFUL = (Risk.WRITE, Risk.EXECUTE, Risk.NETWORK, Risk.DELEGATE)
"""Additional reading or interaction is harmless."""

BUILTIN: dict[str, Risk] = {
    "Shell": Risk.EXECUTE,
    "ShellOutput": Risk.READ,
    "Monitor": Risk.EXECUTE,
    "RunTask": Risk.EXECUTE,
    "RunTests": Risk.EXECUTE,
    "RunNotebook": Risk.EXECUTE,
    "Editor": Risk.EXECUTE,
    "Schedule": Risk.DELEGATE,
    "Read": Risk.READ,
    "ViewImage": Risk.READ,
    "NotebookRead": Risk.READ,
    "List": Risk.READ,
    "Glob": Risk.READ,
    "Grep": Risk.READ,
    "SemanticSearch": Risk.READ,
    "Changes": Risk.READ,
    "Lsp": Risk.READ,
    "Diagnostics": Risk.READ,
    "EditorContext": Risk.READ,
    "Docs": Risk.READ,
    "Skill": Risk.READ,
    "ToolSearch": Risk.READ,
    "McpResources": Risk.READ,
    "MessageRead": Risk.READ,
    "ScheduleRead": Risk.READ,
    "History": Risk.READ,
    "Memory": Risk.WRITE,
    "Write": Risk.WRITE,
    "CreateFolder": Risk.WRITE,
    "Edit": Risk.WRITE,
    "NotebookEdit": Risk.WRITE,
    "Worktree": Risk.WRITE,
    "WebFetch": Risk.NETWORK,
    "WebSearch": Risk.NETWORK,
    "RepoSearch": Risk.NETWORK,
    "Browser": Risk.NETWORK,
    "Publish": Risk.NETWORK,
    "Agent": Risk.DELEGATE,
    "Message": Risk.DELEGATE,
    "Workflow": Risk.DELEGATE,
    "TodoWrite": Risk.INTERACT,
    "TodoRead": Risk.INTERACT,
    "Question": Risk.INTERACT,
    "Plan": Risk.INTERACT,
    "Goal": Risk.INTERACT,
    "Report": Risk.INTERACT,
}

ALIASES: dict[str, tuple[str, ...]] = {
    "Bash": ("Shell",),
    "Task": ("Agent",),
    "Todo": ("TodoWrite", "TodoRead"),
}


COMPANIONS: dict[str, str] = {
    "ShellOutput": "Shell",
    "RunTask": "Shell",
    "RunTests": "Shell",
    "RunNotebook": "Shell",
    "ViewImage": "Read",
    "NotebookRead": "Read",
    "CreateFolder": "Write",
}
"""Tools that add nothing to another one: whoever has the shell can read its output, and run tasks and tests."""


class Tool(NamedTuple):
    """A built-in (`Read`), an MCP tool (`mcp:db/query`, `mcp:db/*`) or a custom one (`custom:deploy`)."""

    name: str
    server: str | None = None
    custom: bool = False
    native: bool = False
    """A harness's own tool that no canonical one is like; `name` is its native name."""

    def __str__(self) -> str:
        if self.server is not None:
            return f"mcp:{self.server}/{self.name}"
        return f"custom:{self.name}" if self.custom else self.name

    @property
    def risk(self) -> Risk | None:
        """None where it cannot be known: an MCP or custom tool may do anything."""
        return BUILTIN.get(self.name) if self.server is None and not self.custom and not self.native else None

    def covers(self, other: Tool) -> bool:
        """Does naming this tool also name the other (`mcp:db/*` covers `mcp:db/query`)?"""
        if self == other:
            return True
        if self.server is None or other.server is None:
            return False
        return self.server in ("*", other.server) and self.name == "*"


ACCEPT_NONE: frozenset[str] = frozenset()
ACCEPT_ALL = frozenset(("*",))


def accepts(accepted: frozenset[str], tool: Tool) -> bool:
    """May a tool be granted although it was not intended? `accepted` names tools and risks; `*` accepts all."""
    return "*" in accepted or str(tool) in accepted or (tool.risk is not None and tool.risk.value in accepted)


def Mcp(server: str, tool: str = "*") -> Tool:  # noqa: N802 - named like the constructor that it is
    return Tool(tool, server)


def Custom(name: str) -> Tool:  # noqa: N802
    return Tool(name, custom=True)


def Native(name: str) -> Tool:  # noqa: N802
    return Tool(name, native=True)


def parse_tools(text: str) -> tuple[Tool, ...] | None:
    """The tools for a canonical name; None if the name is not canonical."""
    if text in BUILTIN:
        return (Tool(text),)
    if text in ALIASES:
        return tuple(Tool(name) for name in ALIASES[text])
    kind, colon, rest = text.partition(":")
    if colon and kind == "custom" and rest:
        return (Custom(rest),)
    if colon and kind == "mcp" and rest:
        server, slash, name = rest.partition("/")
        return (Mcp(server, name if slash and name else "*"),) if server else None
    return None


class Selector(NamedTuple):
    tools: tuple[Tool, ...]
    scope: str | None = None


def parse_selector(text: str) -> Selector | None:
    """The tools for a canonical name, with or without a scope: `Shell(git diff *)`; None if it is none."""
    name, paren, scope = text.partition("(")
    tools = parse_tools(name)
    if tools is None or (paren and not (scope.endswith(")") and scope != ")")):
        return None
    return Selector(tools, scope[:-1] if paren else None)


@cache
def describe_tool(tool: str) -> str:
    """The description of a built-in tool, from its text file."""
    with open(os.path.join(os.path.dirname(__file__), "tools", f"{tool}.txt"), encoding="utf-8") as file:
        return file.read().strip()
