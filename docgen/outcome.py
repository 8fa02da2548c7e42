"""A short description of what a harness did with a recorded file."""

from __future__ import annotations

from docgen.markdown import code, codes
from docgen.recordings import Recording, Recordings
from fsagent_lint.harnesses.tables import get_harness

NOT_LOADED = "not loaded"


def sentence(recording: Recording, recordings: Recordings) -> str:
    if recording.ran is not None:
        return f"{code(recording.call)} {'runs' if recording.ran else 'does not run'}."
    result = outcome(recording, recordings)
    whose = {"subagent": "The subagent"}.get(recording.role, f"The {recording.kind}")
    return f"{whose} is {result}." if result == NOT_LOADED else f"{whose} has {result}."


def outcome(recording: Recording, recordings: Recordings) -> str:
    """The tools that the running agent had, in native names."""
    if recording.tools is None:
        return NOT_LOADED
    harness = get_harness(recording.harness)
    usual = _usual(recording, recordings)
    order = [*harness.tools, *sorted((usual | recording.tools) - set(harness.tools))]
    granted = [tool for tool in order if tool in recording.tools.difference(harness.fixed_tools)]
    missing = [tool for tool in order if tool in usual - recording.tools and _matters(tool, recording)]
    extra = [tool for tool in granted if tool not in usual]
    if not granted:
        return "no tools"
    if len(missing) > len(granted):
        return f"only {codes(granted)}"
    every = f"every tool but {codes(missing)}" if missing else "every tool"
    return f"{every}, and {codes(extra)}" if extra else every


def _usual(recording: Recording, recordings: Recordings) -> frozenset[str]:
    """The tools of an agent without tool keys, with the same MCP servers."""
    for each in recordings.of(recording.harness):
        is_unrestricted = (
            each.role == "agent" and not each.shown and not each.files and each.servers == recording.servers
        )
        if is_unrestricted and each.tools is not None:
            return each.tools
    return frozenset(get_harness(recording.harness).default_tools)


def _matters(tool: str, recording: Recording) -> bool:
    """Is a missing tool worth a mention? Not if it grants no canonical tool, unless an MCP server provides it."""
    facts = get_harness(recording.harness).tools.get(tool)
    return facts is None or bool(facts.grants)
