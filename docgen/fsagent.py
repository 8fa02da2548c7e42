"""The parts of the page for users of FsAgent that come from the tables and the recordings."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from docgen.markdown import code, codes, table
from docgen.outcome import outcome as recorded
from docgen.recordings import Recordings
from docgen.samples import outcome
from fsagent_lint import NO_CONFIG, Agent, Converted, HarnessId, Tool, ToolFormat
from fsagent_lint._fast import Record
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.schema import load_record

DATA = Path(__file__).with_name("fsagent.toml")
PAGE = "docs/fsagent.md"
HARNESSES: tuple[HarnessId, ...] = ("opencode", "copilot", "claude-code")
FORMATS: tuple[ToolFormat, ...] = ("auto", "list", "map")
ENABLED, DISABLED = ("Write", "Edit", "Bash"), ("Bash",)
"""The tools of the agent that is shown, and those that are disallowed."""


class Difference(Record):
    what: str
    harness: HarnessId
    show: tuple[str, ...]
    """Ids of recordings."""


class Theirs(Record):
    means: dict[str, str]
    tools: dict[str, dict[str, tuple[str, ...]]]
    differences: tuple[Difference, ...]


def regions(recordings: Recordings) -> dict[str, str]:
    """The generated parts of the page, by the names of their regions."""
    theirs = load_record(Theirs, tomllib.loads(DATA.read_text(encoding="utf-8")), DATA.name)
    return {
        "tools": "\n".join(_tool_table(theirs, id, recordings) for id in HARNESSES),
        "formats": "\n".join(_formats(theirs)),
        "differences": _differences(theirs, recordings),
    }


def _tool_table(theirs: Theirs, id: HarnessId, recordings: Recordings) -> str:
    harness = get_harness(id)
    rows = []
    for name, names in theirs.tools.items():
        ours = Tool.parse(theirs.means.get(name, name)).names(id)
        seen = [_seen(native, harness, recordings) for native in names[id]]
        same = "the same" if ours == names[id] else codes(ours) or "nothing"
        rows.append([code(name), codes(names[id]) or "nothing", " · ".join(filter(None, seen)), same])
    head = [
        "FsAgent",
        "it writes",
        f"an agent with this name alone has, in {harness.title} {recordings.version(id)}",
        "written here",
    ]
    return f"### {harness.title}\n\n{table(head, rows)}"


def _seen(native: str, harness: Harness, recordings: Recordings) -> str:
    """What an agent with one name had, and what the tool depends on; empty if that was not recorded."""
    if not recordings.has(harness.id, f"name-{native}"):
        return ""
    facts = harness.tools.get(native)
    needs = f" ({facts.condition})" if facts is not None and facts.condition else ""
    return f"{code(native)}: {recorded(recordings.get(harness.id, f'name-{native}'), recordings)}{needs}"


def _formats(theirs: Theirs) -> Iterator[str]:
    agent = Agent(name="writer", description="Writes.", tools=ENABLED, disallowed_tools=DISABLED, prompt="You write.")
    for id in HARNESSES:
        harness, lines = get_harness(id), _their_lines(theirs, id)
        rows = [["FsAgent", _on_one_line(lines), outcome(lines, harness)]]
        for form in FORMATS:
            made = agent.write(id, tool_format=form, config=NO_CONFIG)
            if made.error:
                rows.append([code(form), "refused", f"{made.error}."])
            else:
                tools = _tool_lines(made)
                rows.append([code(form), _on_one_line(tools), outcome(tools, harness)])
        yield f"### {harness.title}\n\n{table(['format', 'the tools of the agent', 'the running agent'], rows)}"


def _their_lines(theirs: Theirs, id: HarnessId) -> str:
    """`formatToolsFrontmatter` of FsAgent: a map in OpenCode, a list of what is enabled elsewhere; sorted by name."""
    on = {native for name in ENABLED for native in theirs.tools[name][id]}
    off = {native for name in DISABLED for native in theirs.tools[name][id]}
    if id == HARNESSES[0]:
        return "tools:\n" + "".join(f"  {name}: {str(name not in off).lower()}\n" for name in sorted(on | off))
    return "tools:\n" + "".join(f"  - {name}\n" for name in sorted(on - off))


def _tool_lines(made: Converted) -> str:
    """The tool keys of a written file."""
    frontmatter = made.text.split("---\n")[1]
    keys = [key for kind in get_harness(HARNESSES[0]).kinds.values() for key in kind.keys]
    keys += [key for id in HARNESSES for kind in get_harness(id).kinds.values() for key in kind.keys]
    lines: list[str] = []
    is_ours = False
    for line in frontmatter.splitlines(keepends=True):
        is_ours = line.partition(":")[0] in keys if not line.startswith(" ") else is_ours
        lines += [line] if is_ours else []
    return "".join(lines)


def _on_one_line(lines: str) -> str:
    return "<br>".join(code(line) for line in lines.replace("  ", "\u00a0\u00a0").splitlines())


def _differences(theirs: Theirs, recordings: Recordings) -> str:
    rows = []
    for each in theirs.differences:
        found = [recordings.get(each.harness, id) for id in each.show]
        shown = "<br>".join(f"{code(_flat(one.shown))}: {recorded(one, recordings)}" for one in found)
        rows.append([each.what, f"[{get_harness(each.harness).title}](harnesses/{each.harness}.md)", shown])
    return table(["what differs", "harness", "recorded"], rows)


def _flat(lines: str) -> str:
    return " ⏎ ".join(line.rstrip() for line in lines.splitlines())
