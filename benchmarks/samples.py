"""Agent files as people write them, in several shapes; every run uses the same files."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

PER_FOLDER = 50
_TEXT = """review the changes on this branch and report what matters most first keep answers short cite file and line
never edit generated code run the tests before and after ask when a requirement is unclear prefer small steps"""
_WORDS = _TEXT.split()
_CLAUDE = ["Read", "Grep", "Glob", "Bash", "Edit", "Write", "WebFetch", "WebSearch", "TodoWrite", "mcp__db__query"]
_OPENCODE = ["read", "grep", "glob", "bash", "edit", "write", "webfetch", "todowrite", "task", "list"]
_COPILOT = ["read", "search", "edit", "execute", "agent", "web", "todo", "search/codebase", "web/fetch", "github/*"]


class Shape(NamedTuple):
    folder: str
    suffix: str
    frontmatter: Callable[[random.Random, str], str]


def _some(rng: random.Random, names: Sequence[str]) -> list[str]:
    return rng.sample(names, rng.randint(2, 7))


def _text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize()


def _description(rng: random.Random) -> str:
    return f"description: {_text(rng, rng.randint(8, 40))}."


def _claude_csv(rng: random.Random, name: str) -> str:
    return f"name: {name}\n{_description(rng)}\ntools: {', '.join(_some(rng, _CLAUDE))}\nmodel: sonnet"


def _claude_list(rng: random.Random, name: str) -> str:
    items = "".join(f"\n  - {tool}" for tool in _some(rng, _CLAUDE))
    return f'name: {name}\ndescription: "{_text(rng, 20)}: \\n<example>{_text(rng, 30)}</example>"\ntools:{items}'


def _claude_bare(rng: random.Random, name: str) -> str:
    return f"name: {name}\ndescription: >\n  {_text(rng, 15)}\n  {_text(rng, 15)}\ncolor: blue"


def _claude_broken(rng: random.Random, name: str) -> str:
    return f"name: {name}\ndescription: Use this: {_text(rng, 25)}\ntools: Read, Grep, {rng.choice(_CLAUDE)}"


def _opencode_map(rng: random.Random, _: str) -> str:
    switches = "".join(f"\n  {tool}: {rng.choice(['true', 'false'])}" for tool in _some(rng, _OPENCODE))
    return f"{_description(rng)}\nmode: subagent\ntemperature: 0.1\ntools:{switches}"


def _opencode_permission(rng: random.Random, _: str) -> str:
    rules = f'\n  bash:\n    "*": ask\n    "git diff*": allow\n  edit: {rng.choice(["allow", "ask", "deny"])}'
    return f"{_description(rng)}\nmode: primary\nmodel: anthropic/claude-sonnet-4-5\npermission:{rules}"


def _copilot_list(rng: random.Random, name: str) -> str:
    tools = ", ".join(f"'{tool}'" for tool in _some(rng, _COPILOT))
    return f"name: {name}\n{_description(rng)}\ntools: [{tools}]"


SHAPES = (
    *[Shape(".claude/agents", ".md", shape) for shape in (_claude_csv, _claude_csv, _claude_list, _claude_bare)],
    Shape(".claude/agents", ".md", _claude_broken),
    *[Shape(".opencode/agents", ".md", shape) for shape in (_opencode_map, _opencode_permission)],
    *[Shape(".github/agents", ".agent.md", shape) for shape in (_copilot_list, _copilot_list)],
)


def _body(rng: random.Random) -> str:
    parts = []
    for number in range(rng.randint(3, 15)):
        parts.append(f"## {number + 1}. {_text(rng, 3)}\n\n{_text(rng, rng.randint(20, 80))}.\n")
        parts += [f"- {_text(rng, rng.randint(5, 15))}\n" for _ in range(rng.randint(0, 5))]
    return "\n".join(parts)


def write(folder: Path, files: int) -> list[Path]:
    """Write agent files to a folder, in projects of `PER_FOLDER` files; the median size is 4 kB, as on GitHub."""
    rng = random.Random(files)
    paths = []
    for number in range(files):
        shape = SHAPES[number % len(SHAPES)]
        name = f"agent-{number:05}"
        path = folder / f"project-{number // PER_FOLDER:04}" / shape.folder / f"{name}{shape.suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"---\n{shape.frontmatter(rng, name)}\n---\n\n{_body(rng)}"
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def write_clean(folder: Path, files: int) -> None:
    """Write agent files that there is nothing to say about."""
    rng = random.Random(files)
    for number in range(files):
        name = f"agent-{number:06}"
        path = folder / f"project-{number // PER_FOLDER:04}" / ".claude/agents" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"name: {name}\n{_description(rng)}\ntools: Read, Grep"
        path.write_text(f"---\n{head}\n---\n\n{_body(rng)}", encoding="utf-8", newline="\n")
