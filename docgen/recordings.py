"""The recordings of real harnesses that the tests replay, as the pages show them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fsagent_lint._fast import NamedTuple
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.harnesses.versions import version_key


class Recording(NamedTuple):
    """One small agent file, and what a harness did with it."""

    harness: str
    version: str
    day: str
    id: str
    text: str
    """The whole file."""
    shown: str
    """The part that pages show: the frontmatter without the lines that every such file has."""
    tools: frozenset[str] | None
    """None if the agent was not loaded."""
    error: str
    files: dict[str, str]
    """Other files of its project."""
    role: str
    """agent, subagent, skill, loaded-skill or command."""
    servers: tuple[tuple[str, tuple[str, ...]], ...]
    """MCP servers that the project configures, and their tools."""
    call: str
    """The call that the model made while the file was in effect."""
    ran: bool | None
    """Did the call run? None if there was no call."""

    @property
    def kind(self) -> str:
        return {"subagent": "agent", "loaded-skill": "skill"}.get(self.role, self.role)


class Recordings:
    """The recordings of the newest version of each harness, by harness and id."""

    def __init__(self, folder: Path) -> None:
        newest = [max(each.iterdir(), key=lambda version: version_key(version.name)) for each in folder.glob("*/")]
        found = [each for version in sorted(newest) for path in sorted(version.glob("*.json")) for each in _load(path)]
        self._all = {(each.harness, each.id): each for each in found}

    def get(self, harness: str, id: str) -> Recording:
        if (harness, id) not in self._all:
            raise ValueError(f"there is no recording {id!r} of {harness}")
        return self._all[harness, id]

    def has(self, harness: str, id: str) -> bool:
        return (harness, id) in self._all

    def of(self, harness: str) -> list[Recording]:
        return [each for each in self._all.values() if each.harness == harness]

    def count(self, harness: str) -> int:
        return len(self.of(harness))

    def version(self, harness: str) -> str:
        return self.of(harness)[0].version

    def day(self, harness: str) -> str:
        """The date of the oldest recording; empty if one has no date."""
        return min(each.day for each in self.of(harness))

    def since(self, harness: str) -> str:
        """The same, to be appended to other text."""
        day = self.day(harness)
        return f", {day}" if day else ""

    def observed(self) -> tuple[Harness, ...]:
        """The harnesses with recordings."""
        return tuple(get_harness(id) for id in harness_ids() if any(id == harness for harness, _ in self._all))


def _load(path: Path) -> Iterable[Recording]:
    data = json.loads(path.read_text(encoding="utf-8"))
    for probe in data["probes"]:
        if "frontmatter" not in probe and "document" not in probe:
            continue
        text = _file(probe)
        yield Recording(
            harness=data["harness"],
            version=data["version"],
            day=data.get("recorded", ""),
            id=probe["id"],
            text=text,
            shown=probe["frontmatter"].strip("\n") if "frontmatter" in probe else _without_common(text),
            tools=frozenset(probe["tools"] or ()) if probe["loads"] and probe.get("started", True) else None,
            error=probe["error"] or "",
            files=probe.get("files", {}),
            role=probe.get("role", "agent"),
            servers=tuple((name, tuple(tools)) for name, tools in probe.get("servers", {}).items()),
            call=_call(probe.get("calls", [])),
            ran=probe.get("ran"),
        )


def _call(calls: list[dict[str, Any]]) -> str:
    """The last call, as a person would write it: its command, or the name of the tool."""
    if not calls:
        return ""
    arguments = calls[-1].get("input", {})
    return str(arguments.get("command") or calls[-1]["tool"])


def _file(probe: dict[str, Any]) -> str:
    if "document" in probe:
        unit, times = probe.get("padding", ("", 0))
        return f"{probe['document']}{unit * times}"
    text: str = probe["frontmatter"]
    head = "".join(line for line in _COMMON if not re.search(rf"^{line.split(':')[0]}\s*:", text, re.MULTILINE))
    return f"---\n{head}{text.rstrip(chr(10))}\n---\nSay ok.\n"


_COMMON = ("name: probe\n", "description: A probe.\n")


def _without_common(text: str) -> str:
    """The lines between the fences, except for a placeholder name and description; the whole text without fences."""
    lines = text.replace("\r\n", "\n").split("\n---\n")[0].splitlines()
    if lines[:1] != ["---"]:
        return text
    return "\n".join(line for line in lines[1:] if not _PLACEHOLDER.fullmatch(line))


_PLACEHOLDER = re.compile(r"name: probe|description: (?:A probe\.|x|d)")
