"""The canonical tools: one vocabulary that every harness maps to and from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Protocol

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.suggest import hint

if TYPE_CHECKING:
    from typing import ClassVar

    from fsagent_lint.model.choices import HarnessId, ToolName


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


class Vocabulary(Protocol):
    """What harnesses call tools: the tables know, which are built on this module."""

    def names(self, tools: tuple[Tool, ...], harness: str) -> tuple[str, ...]:
        """The names to write for tools in a harness."""

    def tools(self, name: str, harness: str) -> tuple[Tool, ...]:
        """The tools that a harness grants by a name."""


class _Tool(NamedTuple):
    name: str
    server: str | None = None
    is_custom: bool = False
    is_native: bool = False
    """A harness's own tool that no canonical one is like; `name` is its native name."""


class Tool(_Tool):
    """A built-in (`Tool.Read`), an MCP tool (`Tool.mcp("db", "query")`), or one of your own (`Tool.custom("deploy")`)."""

    __slots__ = ()

    # begin: tools, written by docgen
    Shell: ClassVar[Tool]
    """Run commands in a shell, with everything that the user's account may do."""
    ShellOutput: ClassVar[Tool]
    """Read the output of a command that runs in the background, or stop it."""
    Monitor: ClassVar[Tool]
    """Watch a command that keeps running and react to its output."""
    RunTask: ClassVar[Tool]
    """Run a task that the editor or the project defines."""
    RunTests: ClassVar[Tool]
    """Run the project's tests and read what failed."""
    RunNotebook: ClassVar[Tool]
    """Run cells of a notebook."""
    Editor: ClassVar[Tool]
    """Drive the editor: run its commands, install extensions, open windows."""
    Schedule: ClassVar[Tool]
    """Start work later or again and again, without anyone asking."""
    Read: ClassVar[Tool]
    """Read a file."""
    ViewImage: ClassVar[Tool]
    """Look at an image file."""
    NotebookRead: ClassVar[Tool]
    """Read the cells of a notebook and what they printed."""
    List: ClassVar[Tool]
    """List the contents of a folder."""
    Glob: ClassVar[Tool]
    """Find files by name pattern."""
    Grep: ClassVar[Tool]
    """Search the contents of files by text or pattern."""
    SemanticSearch: ClassVar[Tool]
    """Search the code base by meaning, through an index."""
    Changes: ClassVar[Tool]
    """See what was changed in the working tree."""
    Lsp: ClassVar[Tool]
    """Ask a language server for definitions, references and types."""
    Diagnostics: ClassVar[Tool]
    """Read the errors and warnings that compilers and linters report."""
    EditorContext: ClassVar[Tool]
    """See what the user selected, searched for or ran in the editor."""
    Docs: ClassVar[Tool]
    """Look up the documentation of the harness or the editor itself."""
    Skill: ClassVar[Tool]
    """Load a skill: instructions kept in the project or by the user."""
    ToolSearch: ClassVar[Tool]
    """Find and load tools that are not in the prompt yet."""
    McpResources: ClassVar[Tool]
    """List and read the resources that MCP servers offer."""
    MessageRead: ClassVar[Tool]
    """List the agents that are running, and read what they say."""
    ScheduleRead: ClassVar[Tool]
    """List the work that is scheduled."""
    History: ClassVar[Tool]
    """Search the conversations of earlier sessions."""
    Memory: ClassVar[Tool]
    """Keep notes that outlive the conversation."""
    Write: ClassVar[Tool]
    """Create a file, or replace one."""
    CreateFolder: ClassVar[Tool]
    """Create a folder."""
    Edit: ClassVar[Tool]
    """Change part of a file."""
    NotebookEdit: ClassVar[Tool]
    """Change the cells of a notebook."""
    Worktree: ClassVar[Tool]
    """Create, enter and leave separate working trees of the repository."""
    WebFetch: ClassVar[Tool]
    """Fetch a page from the network."""
    WebSearch: ClassVar[Tool]
    """Search the web."""
    RepoSearch: ClassVar[Tool]
    """Search other repositories on a code hosting service."""
    Browser: ClassVar[Tool]
    """Drive a web browser."""
    Publish: ClassVar[Tool]
    """Publish a page or send a file to people outside."""
    Agent: ClassVar[Tool]
    """Start another agent and give it a task."""
    Message: ClassVar[Tool]
    """Talk to agents that are already running."""
    Workflow: ClassVar[Tool]
    """Run a scripted sequence of agents."""
    TodoWrite: ClassVar[Tool]
    """Keep the list of steps of the current task."""
    TodoRead: ClassVar[Tool]
    """Read the list of steps of the current task."""
    Question: ClassVar[Tool]
    """Ask the user a question and wait for the answer."""
    Plan: ClassVar[Tool]
    """Enter or leave plan mode, in which nothing is changed."""
    Goal: ClassVar[Tool]
    """Set the goal that the agent works towards, and report progress."""
    Report: ClassVar[Tool]
    """Hand structured results back to whoever started the agent."""
    # end: tools
    Bash: ClassVar[Tool]
    """The same as `Tool.Shell`."""
    Task: ClassVar[Tool]
    """The same as `Tool.Agent`."""
    Todo: ClassVar[Tool]
    """`Tool.TodoWrite` and `Tool.TodoRead`."""

    vocabulary: ClassVar[Vocabulary]

    if TYPE_CHECKING:  # a name in any other text: `Tool.parse`

        def __new__(
            cls, name: ToolName, server: None = None, is_custom: bool = False, is_native: bool = False
        ) -> Tool: ...

    @classmethod
    def mcp(cls, server: str, tool: str = "*") -> Tool:
        """A tool of an MCP server; without `tool`, all of them."""
        return cls._make((tool, server, False, False))

    @classmethod
    def custom(cls, name: str) -> Tool:
        """A tool of the project's own, or of an installed package."""
        return cls._make((name, None, True, False))

    @classmethod
    def native(cls, name: str) -> Tool:
        """A tool of one harness alone, by its native name."""
        return cls._make((name, None, False, True))

    @classmethod
    def parse(cls, text: str) -> Tool:
        """The tool with a canonical name: `Shell`, `Bash`, `mcp:db/query`, `mcp:db`, `custom:deploy`. UserError for any other."""
        found = parse_tools(text)
        if found is None:
            raise unknown_tool(text)
        return found[0] if len(found) == 1 else Tool.Todo

    @classmethod
    def from_native(cls, harness: HarnessId, name: str) -> tuple[Tool, ...]:
        """The tools that a harness grants by a name: Copilot's `edit` is Edit and Write. UserError if it has no such name."""
        return cls.vocabulary.tools(name, harness)

    def __str__(self) -> str:
        if self.server is not None:
            return f"mcp:{self.server}/{self.name}"
        return f"custom:{self.name}" if self.is_custom else self.name

    def __repr__(self) -> str:
        if self.server is not None:
            return f"Tool.mcp({self.server!r}{'' if self.name == '*' else f', {self.name!r}'})"
        if self.is_custom or self.is_native:
            return f"Tool.{'custom' if self.is_custom else 'native'}({self.name!r})"
        return f"Tool.{self.name}"

    def __call__(self, scope: str) -> ScopedTool:
        """Only some uses of the tool: `Tool.Shell("git diff *")`."""
        if not scope:
            raise UserError(f"The scope of {self} is empty; without a scope, {self!r} means every use of the tool.")
        return ScopedTool(self, scope)

    def names(self, harness: HarnessId) -> tuple[str, ...]:
        """What to write for it in a harness, which may be several names; empty if the harness has no such tool."""
        return self.vocabulary.names(tuple(tool for tool, _ in resolve([self])), harness)

    @property
    def risk(self) -> Risk | None:
        """None where it cannot be known: an MCP or custom tool may do anything."""
        return _RISKS.get(self.name) if self.server is None and not self.is_custom and not self.is_native else None

    @property
    def description(self) -> str:
        """What it does; empty where that cannot be known."""
        return " ".join(describe_tool(tool.name) for tool in self.members if tool.risk is not None)

    @property
    def members(self) -> tuple[Tool, ...]:
        """The tools that it stands for: itself, except for `Tool.Todo`."""
        return tuple(TOOLS[name] for name in ALIASES[self.name]) if self == Tool.Todo else (self,)

    @property
    def leader(self) -> Tool | None:
        """The tool that grants all that this one does, and more: who has the shell needs no tool to run tests."""
        return TOOLS.get(COMPANIONS.get(self.name, "")) if self.risk is not None else None

    def covers(self, other: Tool) -> bool:
        """Does naming this tool also name the other (`mcp:db/*` covers `mcp:db/query`)?"""
        if self == other:
            return True
        if self.server is None or other.server is None:
            return False
        return self.server in ("*", other.server) and self.name == "*"


class ScopedTool(NamedTuple):
    """Some uses of a tool, such as `Tool.Shell("git diff *")`."""

    tool: Tool
    scope: str

    def __str__(self) -> str:
        return f"{self.tool}({self.scope})"


ToolLike = Tool | ScopedTool | str
"""What is taken for a tool; text is a canonical name, with or without a scope."""

_RISKS = {**BUILTIN, **{alias: BUILTIN[names[0]] for alias, names in ALIASES.items()}}
TOOLS: Mapping[str, Tool] = {name: Tool._make((name, None, False, False)) for name in BUILTIN}
"""The built-in tools by their names."""
for _name, _tool in TOOLS.items():
    setattr(Tool, _name, _tool)
Tool.Bash, Tool.Task = Tool.Shell, Tool.Agent
Tool.Todo = Tool._make(("Todo", None, False, False))


ACCEPT_NONE: frozenset[str] = frozenset()
ACCEPT_ALL = frozenset(("*",))


def accepts(accepted: frozenset[str], tool: Tool) -> bool:
    """May a tool be granted although it was not intended? `accepted` names tools and risks; `*` accepts all."""
    return "*" in accepted or str(tool) in accepted or (tool.risk is not None and tool.risk.value in accepted)


def parse_tools(text: str) -> tuple[Tool, ...] | None:
    """The tools for a canonical name; None if the name is not canonical."""
    if text in BUILTIN:
        return (TOOLS[text],)
    if text in ALIASES:
        return tuple(TOOLS[name] for name in ALIASES[text])
    kind, colon, rest = text.partition(":")
    if colon and kind == "custom" and rest:
        return (Tool.custom(rest),)
    if colon and kind == "mcp" and rest:
        server, slash, name = rest.partition("/")
        return (Tool.mcp(server, name if slash and name else "*"),) if server else None
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


def resolve(tools: Iterable[ToolLike]) -> Iterator[tuple[Tool, str | None]]:
    """The built-in, MCP and custom tools that are meant, each with its scope; UserError for what is no tool."""
    for each in tools:
        scope = each.scope if isinstance(each, ScopedTool) else None
        tool = each.tool if isinstance(each, ScopedTool) else each
        if isinstance(tool, Tool) and (
            tool.name in BUILTIN or tool.server is not None or tool.is_custom or tool.is_native
        ):
            yield tool, scope
            continue
        found = parse_selector(str(tool)) if isinstance(tool, (Tool, str)) else None
        if found is None:
            raise unknown_tool(tool)
        yield from ((member, scope or found.scope) for member in found.tools)


def unknown_tool(text: object) -> UserError:
    """What to say about a name that is not canonical."""
    guess = hint(str(text).partition("(")[0], [*BUILTIN, *ALIASES], "fsagent-lint tools")
    return UserError(f"`{text}` is not a canonical tool, nor `mcp:server/tool` or `custom:name`. {guess}")


@cache
def describe_tool(tool: str) -> str:
    """The description of a built-in tool, from its text file."""
    with open(os.path.join(os.path.dirname(__file__), "tools", f"{tool}.txt"), encoding="utf-8") as file:
        return file.read().strip()
