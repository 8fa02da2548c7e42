"""Projects of any size that try to keep the program busy: each is a map of paths to contents."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Files = dict[str, bytes]
AGENT = ".claude/agents/a.md"
HEAD = "---\nname: a\ndescription: d\n"


class Family(NamedTuple):
    make: Callable[[int], Files]
    size: int
    """The largest size to try: nearly what the program accepts."""


def fill(unit: str, size: int) -> str:
    """A unit repeated up to a size; `%` in it is a number."""
    if "%" not in unit:
        return unit * (size // len(unit))
    return "".join(unit.replace("%", str(number)) for number in range(size // (len(unit) + 3)))


def agent(text: str, body: str = "Prompt.\n", path: str = AGENT) -> Files:
    return {path: f"{HEAD}{text}\n---\n{body}".encode()}


def in_body(unit: str, *paths: str) -> Family:
    return Family(lambda n: {path: f"{HEAD}---\n{fill(unit, n)}\n".encode() for path in paths or (AGENT,)}, 1_000_000)


def in_frontmatter(before: str, unit: str, *paths: str, after: str = "") -> Family:
    """Not more than 1,900 lines and commas."""

    def make(n: int) -> Files:
        parts = sum(map(unit.count, "\n,"))
        size = min(n, n * 1_900 * (len(unit) + 3) // (60_000 * parts)) if parts else n
        return {path: f"{HEAD}{before}{fill(unit, size)}{after}\n---\nPrompt.\n".encode() for path in paths or (AGENT,)}

    return Family(make, 60_000)


def beside(path: str, before: str, unit: str, after: str, size: int = 1_000_000, tools: str = "tools: x_y") -> Family:
    """A file beside an agent that makes the program read it."""
    return Family(lambda n: {path: f"{before}{fill(unit, n)}{after}".encode(), **agent(tools)}, size)


def misspelt(
    path: str,
    before: str,
    unit: str,
    after: str,
    names: str,
    *,
    times: int = 1,
    key: str = "tools: ",
    agent_path: str = AGENT,
) -> Family:
    """Many names that are defined, and many in an agent that are nearly those."""

    def make(n: int) -> Files:
        defined = f"{before}{fill(unit, n * times)}{after}"
        return {path: defined.encode(), **agent(f"{key}{fill(names, n // 3)}", path=agent_path)}

    return Family(make, 60_000)


def in_python(before: str, unit: str, after: str = "") -> Family:
    head = "from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions\n"
    return Family(lambda n: {"a.py": f"{head}{before}{fill(unit, n)}{after}\n".encode()}, 160_000)


EVERYWHERE = (
    AGENT, ".opencode/agents/a.md", ".github/agents/a.agent.md", ".gemini/agents/a.md", ".kilo/agents/a.md", ".qwen/agents/a.md",
)  # fmt: skip
COMMANDS = (".claude/commands/a.md", ".qwen/commands/a.md", ".github/prompts/a.prompt.md", ".opencode/commands/a.md")
NAME = "x" * 100

FAMILIES = {
    "suppressions in the body": in_body("<!-- fsagent: ignore["),
    "closed suppressions in the body": in_body("<!-- fsagent: ignore[a%] -->\n"),
    "suppressions with many codes": in_body("<!-- fsagent: ignore[" + "a," * 500 + "] -->\n"),
    "placeholders in the body": in_body("${a%} ", ".gemini/agents/a.md", ".qwen/agents/a.md"),
    "variables in the body": in_body("{env:", ".kilo/agents/a.md"),
    "closed variables in the body": in_body("{env:a%} ", ".kilo/agents/a.md"),
    "references in the body": in_body("#tool:edit/edtFiles% ", ".github/agents/a.agent.md"),
    "dots after a reference": in_body("#tool:" + "." * 50, ".github/agents/a.agent.md"),
    "commands in the body": in_body("!{", *COMMANDS),
    "quoted commands in the body": in_body("!`a", *COMMANDS),
    "inputs in the body": in_body("${input:a%} ", *COMMANDS),
    "unclosed inputs in the body": in_body("${input:a:", *COMMANDS),
    "files in the body": in_body("@a/b.", *COMMANDS),
    "fences in the body": in_body("---\n", *EVERYWHERE),
    "lines in the body": in_body("a\r", *EVERYWHERE),
    "keys in the body": in_body("\nname: a", *EVERYWHERE),
    "opening fences": Family(lambda n: dict.fromkeys(EVERYWHERE, b"---\nx" * (n // 5)), 1_000_000),
    "one long line": Family(lambda n: dict.fromkeys(EVERYWHERE, b"-" * n), 1_000_000),
    "comments before the frontmatter": Family(lambda n: dict.fromkeys(EVERYWHERE, b"<!--\n" * (n // 5)), 1_000_000),
    "suppressions": in_frontmatter("tools: Read ", "# fsagent: ignore[", *EVERYWHERE),
    "suppressions by line": in_frontmatter("tools: Read", "\n# fsagent: ignore[FA101]", *EVERYWHERE),
    "unknown tools": in_frontmatter("tools: ", "tool%, ", *EVERYWHERE),
    "misspelt tools": in_frontmatter("tools: ", "Raed%, ", *EVERYWHERE),
    "long misspelt tools": in_frontmatter("tools: ", f"{NAME}%, ", *EVERYWHERE),
    "repeated tools": in_frontmatter("tools: ", "Read, ", *EVERYWHERE),
    "scopes": in_frontmatter("tools: ", "Bash(git %:*), ", *EVERYWHERE),
    "a long scope": in_frontmatter("tools: Bash(", "a ", *EVERYWHERE, after=")"),
    "nested scopes": in_frontmatter("tools: ", "Bash(", *EVERYWHERE),
    "servers' tools": in_frontmatter("tools: ", "mcp__s%__t, ", *EVERYWHERE),
    "underscores": in_frontmatter("tools: ", "a_", *EVERYWHERE),
    "words": in_frontmatter("tools: ", "tool% ", *EVERYWHERE),
    "a long name of a tool": in_frontmatter("tools: ", "x", *EVERYWHERE),
    "a list of tools": in_frontmatter("tools:", "\n  - tool%", *EVERYWHERE),
    "comments of tools": in_frontmatter("tools:", "\n  - Read # c", *EVERYWHERE),
    "switches": in_frontmatter("tools:", "\n  tool%: true", *EVERYWHERE),
    "permissions": in_frontmatter("permission:\n  bash:", '\n    "git %*": ask', *EVERYWHERE),
    "permissions of tools": in_frontmatter("permission:", '\n  "a%*": deny', *EVERYWHERE),
    "stars in a permission": in_frontmatter('permission:\n  bash:\n    "', "*a", *EVERYWHERE, after='b": deny'),
    "denied and allowed": Family(
        lambda n: agent(f"tools: {fill('tool%, ', n // 20)}\ndisallowedTools: {fill('tool%, ', n // 20)}"), 60_000
    ),
    "servers in the frontmatter": in_frontmatter("mcpServers:", "\n  s%: {command: x}", *EVERYWHERE),
    "hooks": in_frontmatter("hooks:\n  PreToolUse:", "\n    - matcher: Raed%", *EVERYWHERE),
    "an hook matcher": in_frontmatter("hooks:\n  PreToolUse:\n    - matcher: '", "Raed|", *EVERYWHERE, after="'"),
    "repeated keys": in_frontmatter("", "\nname: a", *EVERYWHERE),
    "unknown fields": in_frontmatter("", "\nfield%: a", *EVERYWHERE),
    "keys that no YAML has": in_frontmatter("x: [", "\nname: a: b", *EVERYWHERE),
    "aliases": in_frontmatter("x: &a b\ny:", "\n  - *a", *EVERYWHERE),
    "anchors": in_frontmatter("y:", "\n  - &a% b", *EVERYWHERE),
    "brackets": in_frontmatter("tools: ", "[", *EVERYWHERE),
    "quotes": in_frontmatter("description: '", "''", *EVERYWHERE),
    "numbers": in_frontmatter("maxTurns: ", "1", *EVERYWHERE),
    "a number with a fault": in_frontmatter("maxTurns: ", "1", *EVERYWHERE, after="x"),
    "a model of numbers": in_frontmatter("model: claude-opus-", "4-x-", *EVERYWHERE),
    "blanks": in_frontmatter("description: a", " ", *EVERYWHERE, after=": b"),
    "tabs": in_frontmatter("description:\n", "\t", *EVERYWHERE, after="b"),
    "lines of text": in_frontmatter("description: |", "\n  text", *EVERYWHERE),
    "modes": Family(
        lambda n: {
            ".roomodes": b"customModes:\n"
            + fill("- {slug: a%, name: a, roleDefinition: r, groups: [raed]}\n", n).encode()
        },
        60_000,
    ),
    "groups of a mode": Family(
        lambda n: {
            ".roomodes": b"customModes:\n- slug: a\n  name: a\n  roleDefinition: r\n  groups:\n"
            + fill("  - raed%\n", n).encode()
        },
        50_000,
    ),
    "suppressions in a list of modes": Family(
        lambda n: {".roomodes": b"customModes: []\n" + fill("# fsagent: ignore[a]\n", n).encode()}, 250_000
    ),
    "a list of typographic quotes": Family(
        lambda n: {".roomodes": ("customModes: [" + "\u201c" * (n // 3)).encode()}, 250_000
    ),
    "servers": beside(".mcp.json", '{"mcpServers": {', '"s%": {"command": "x"}, ', '"z": {}}}'),
    "servers of many lengths": beside("opencode.json", '{"mcp": {', '"' + "_" * 200 + '%": {}, ', '"z": {}}}'),
    "comments in JSON": beside("opencode.json", "{", "/*", ""),
    "strings in JSON": beside("opencode.json", "{", '"\\', ""),
    "nested JSON": beside("opencode.json", "", "[", ""),
    "repeated keys in JSON": beside("opencode.json", '{"mcp": {', '"s": {}, ', '"z": {}}}'),
    "permissions in JSON": beside("opencode.json", '{"permission": {"bash": {', '"git %*": "ask", ', '"z": "deny"}}}'),
    "agents in JSON": beside("opencode.json", '{"agent": {', '"a%": {"tools": {"x": true}}, ', '"z": {}}}'),
    "variables of a server": beside(".mcp.json", '{"mcpServers": {"s": {"command": "', "${A%}", '"}}}'),
    "other variables of a server": beside(".mcp.json", '{"mcpServers": {"s": {"command": "', "${A%:-x}", '"}}}'),
    "settings": beside(".claude/settings.json", '{"permissions": {"deny": [', '"Bash(%)", ', '"x"]}}'),
    "exported tools": Family(
        lambda n: {
            ".opencode/tools/x.ts": fill("export const t% = tool({})\n", n).encode(),
            **agent("tools: {x: true}", path=".opencode/agents/a.md"),
        },
        1_000_000,
    ),
    "exports": Family(
        lambda n: {
            ".opencode/tools/x.ts": fill("export const x:", n).encode(),
            **agent("tools: {x: true}", path=".opencode/agents/a.md"),
        },
        1_000_000,
    ),
    "ignored files": beside(".gitignore", "", "*a%*b\n", ""),
    "stars in ignored files": beside(".gitignore", "", "**/" * 100 + "*a*a*a*b\n", ""),
    "imports": Family(
        lambda n: {"a.py": f"# {fill('import from ', n)}\n# AgentDefinition, claude_agent_sdk\n".encode()}, 400_000
    ),
    "calls": in_python("", 'a% = AgentDefinition(description="d", prompt="p", tools=["Raed"])\n'),
    "statements of a line": in_python('AgentDefinition(description="d", prompt="p", tools=t)\n', "x=1;"),
    "foreign letters in a line": in_python('AgentDefinition(description="d", prompt="p", tools=t)\n', "x='é';"),
    "tools of a call": in_python('AgentDefinition(description="d", prompt="p", tools=[', '"Raed%", ', "])"),
    "names that lead to names": Family(
        lambda n: {
            "a.py": (
                "from claude_agent_sdk import AgentDefinition\n"
                + "".join(f"a{number + 1} = a{number}\n" for number in range(n // 12))
                + f'AgentDefinition(description="d", prompt="p", tools=a{n // 12})\n'
            ).encode()
        },
        160_000,
    ),
    "suppressions in Python": in_python(
        'AgentDefinition(description="d", prompt="p", tools=[])\n', "x=1 # fsagent: ignore[a]\n"
    ),
    "suppressions in a line of Python": in_python(
        'AgentDefinition(description="d", prompt="p", tools=[])\n# ', "# fsagent: ignore[a] "
    ),
    "skills": Family(
        lambda n: {
            f".claude/skills/s{number}/SKILL.md": b"---\nname: s\ndescription: d\nallowed-tools: Raed\n---\nx\n"
            for number in range(n)
        },
        400,
    ),
    "agents of one name": Family(
        lambda n: {
            f".claude/agents/a{number}.md": agent("tools: Raed, Task(b), Task(c)")[AGENT] for number in range(n)
        },
        400,
    ),
    "a config of globs": beside("fsagent-lint.toml", "exclude = [", "'**/*a*a%',", "]", 60_000),
    "a config of ignores": beside("fsagent-lint.toml", "[per-file-ignores]\n", '"**/*a*a%*" = ["FA101"]\n', "", 60_000),
    "a config of servers": beside("fsagent-lint.toml", "mcp-servers = [", "'s%_',", "]", 60_000),
    "a config of tools": beside("fsagent-lint.toml", "custom-tools = [", "'toool%',", "]", 60_000),
    "misspelt tools of a config": misspelt(
        "fsagent-lint.toml", "custom-tools = [", "'toolx%abcdef',", "]", "tolx%abcdfe, "
    ),
    "misspelt servers": misspelt(
        ".mcp.json", '{"mcpServers": {', '"server%abc": {}, ', '"z": {}}}', "mcp__srver%abc__x, ", times=16
    ),
    "misspelt agents": misspelt(
        "opencode.json",
        '{"agent": {',
        '"agent%abc": {"prompt": "x"}, ',
        '"z": {}}}',
        "\n    agnt%abc: deny",
        times=16,
        key="permission:\n  task:",
        agent_path=".opencode/agents/a.md",
    ),
    "a config of dots": beside("fsagent-lint.toml", "", "a.", "a = 1", 60_000),
    "a config of keys": beside("fsagent-lint.toml", "", "key% = 1\n", "", 60_000),
    "a config of paths": beside(
        "fsagent-lint.toml", "", "[[paths]]\nglob = 'a%/*.md'\nharness = 'canonical'\nkind = 'agent'\n", "", 60_000
    ),
    "a table of tools": beside(
        "fsagent-lint.toml", "[harness.claude-code.tools]\n", "t% = {grants = ['Shell']}\n", "", 60_000
    ),
    "a config of enrichments": beside("fsagent-lint.toml", "", "[[enrich]]\nadd = ['mcp:s%/*']\n", "", 60_000),
}
