"""Projects of which one file is damaged: a config, a harness table, or a file that says which MCP servers there are."""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from damage import mutate

from fsagent_lint.cli.main import run

ROOT = Path(__file__).parents[1]
_AGENTS = {
    ".claude/agents/a.md": "---\nname: a\ndescription: d\ntools: Read, bash, mcp__db__query\nmodel: opus\n---\nPrompt.\n",
    ".opencode/agents/b.md": "---\ndescription: d\ntools: {db_query: true, bash: false}\n---\nPrompt.\n",
    ".github/agents/c.agent.md": "---\ndescription: d\ntools: [read, 'db/query', agent]\nagents: [a]\n---\nPrompt.\n",
    ".example/agents/d.md": "---\ndescription: d\ntools: [view, shell]\n---\nPrompt.\n",
}
_SERVER = '{"command": "x", "args": ["-y"], "env": {"A": "${A}"}, // why\n "url": "https://a/b", "headers": {}}'
_SERVERS = f'{{"mcpServers": {{"db": {_SERVER}}}}}\n'
_COMMANDS = (
    ("check",),
    ("check", "--fix", "--unsafe-fixes"),
    ("check", "--target", "opencode", "--diff", "--output-format", "json"),
    ("convert", "--to", "opencode", "--to", "codex", "--with-mcp", "--diff", ".claude"),
    ("sync", "--check"),
    ("explain", ".claude/agents/a.md", ".opencode/agents/b.md"),
    ("audit", "--output-format", "html"),
    ("audit", "--baseline-report", "audit.json", "--output-format", "markdown"),
    ("tools",),
    ("harnesses",),
)


def _blocks(page: str) -> list[str]:
    """The TOML that a page shows."""
    return re.findall(r"^```toml\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@cache
def seeds() -> dict[str, tuple[bytes, ...]]:
    """Files to damage, by their path."""
    texts = {
        "fsagent-lint.toml": _blocks("docs/configuration.md"),
        "example.toml": _blocks("CONTRIBUTING.md"),
        ".mcp.json": [_SERVERS],
        ".vscode/mcp.json": [_SERVERS.replace("mcpServers", "servers")],
        ".claude/settings.json": ['{"permissions": {"deny": ["Bash", "Bash(rm *)", "mcp__db__query"]}}'],
        "opencode.jsonc": [
            '{"mcp": {"db": {"type": "local", "command": ["x"]}}, "model": "a/b",\n'
            ' "agent": {"b": {"tools": {"bash": true}, "permission": {"bash": {"git *": "allow", "*": "deny"}}}}}',
        ],
        ".codex/config.toml": ['[mcp_servers.db]\ncommand = "x"\nargs = ["-y"]\nenv = { A = "b" }\n'],
        ".claude-plugin/plugin.json": [f'{{"name": "p", "agents": ["./agents"], {_SERVERS[1:]}'],
        ".roomodes": ["customModes:\n  - slug: a\n    name: A\n    roleDefinition: r\n    groups: [read, [edit, {fileRegex: a}]]\n"],
        ".gitignore": ["*.tmp\n!a\n/b/**/c[a-z]?\n\\#x\n"],
        "baseline.json": ['{"version": 1, "findings": []}'],
        "audit.json": [
            '{"version": 1, "findings": [], "agents": [{"path": ".claude/agents/a.md", "name": "a", "kind": "agent", "line": 1,'
            ' "findings": [], "harnesses": {"claude-code": {"title": "Claude Code", "loads": true, "unrestricted": false,'
            ' "capabilities": {"read": {"state": "given", "tools": ["Read"], "scopes": []}}, "reaches": {"write": ["b"]}}}}]}'
        ],
    }  # fmt: skip
    return {path: tuple(text.encode() for text in found) for path, found in texts.items()}


def damaged_file(random: Random) -> tuple[str, bytes]:
    path = random.choice(list(seeds()))
    return path, mutate(random, seeds()[path])


def survive_project(path: str, data: bytes) -> None:
    """Every command has an answer, whatever this file of the project says."""
    files = {
        **{name: text.encode() for name, text in _AGENTS.items()},
        "example.toml": seeds()["example.toml"][0],
        "fsagent-lint.toml": b'harness-tables = ["example.toml"]\nbaseline = "baseline.json"\n',
        "baseline.json": seeds()["baseline.json"][0],
        "audit.json": seeds()["audit.json"][0],
        path: data,
    }
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path(".git").mkdir()
        for name, content in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        for command in _COMMANDS:
            _survive(command)
        written = {name for name, content in files.items() if Path(name).read_bytes() != content}
        assert written <= {*_AGENTS, ".roomodes", "opencode.jsonc"}, f"{written} changed"


def _survive(command: tuple[str, ...]) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors:
        code = run(command)
    assert code in (0, 1, 2), f"exit code {code}"
    said = output.getvalue() + errors.getvalue()
    assert "internal error" not in said, said
    assert code != 2 or "error" in said, f"{command} fails without a word"
