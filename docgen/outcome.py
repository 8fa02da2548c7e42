"""What a harness did with a recorded file, in as few words as possible."""

from __future__ import annotations

from docgen.markdown import code, codes
from docgen.recordings import Recording, Recordings
from fsagent_lint.harnesses.tables import get_harness

NOT_LOADED = "not loaded"


def sentence(recording: Recording, recordings: Recordings) -> str:
    if recording.ran is not None:
        return f"{code(recording.call)} {'runs' if recording.ran else 'does not run'}."
    given = outcome(recording, recordings)
    whose = {"subagent": "The subagent"}.get(recording.role, f"The {recording.kind}")
    return f"{whose} is {given}." if given == NOT_LOADED else f"{whose} gets {given}."


def outcome(recording: Recording, recordings: Recordings) -> str:
    """The tools that the running agent had, in the harness' own names."""
    if recording.tools is None:
        return NOT_LOADED
    harness = get_harness(recording.harness)
    usual = _usual(recording, recordings)
    order = [*harness.tools, *sorted((usual | recording.tools) - set(harness.tools))]
    given = [tool for tool in order if tool in recording.tools.difference(harness.fixed_tools)]
    missing = [tool for tool in order if tool in usual - recording.tools and _matters(tool, recording)]
    extra = [tool for tool in given if tool not in usual]
    if not given:
        return "no tools"
    if len(missing) > len(given):
        return f"only {codes(given)}"
    every = f"every tool but {codes(missing)}" if missing else "every tool"
    return f"{every}, and {codes(extra)}" if extra else every


def _usual(recording: Recording, recordings: Recordings) -> frozenset[str]:
    """What an agent has that says nothing about tools, with the same MCP servers."""
    for each in recordings.of(recording.harness):
        silent = each.role == "agent" and not each.shown and not each.files and each.servers == recording.servers
        if silent and each.tools is not None:
            return each.tools
    return frozenset(get_harness(recording.harness).default_tools)


def _matters(tool: str, recording: Recording) -> bool:
    """A tool that amounts to nothing is not missed; one of an MCP server is."""
    facts = get_harness(recording.harness).tools.get(tool)
    return facts is None or bool(facts.grants)
