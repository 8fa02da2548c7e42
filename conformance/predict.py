"""What fsagent-lint says that a harness does with a probe: the other side of every recording."""

from __future__ import annotations

import tempfile
from pathlib import Path

from conformance.adapter import Adapter
from conformance.probe import Observation, Probe
from fsagent_lint.delegation import effect_as_subagent
from fsagent_lint.discover import Discoverer
from fsagent_lint.document import Document
from fsagent_lint.effect import Effect, effect
from fsagent_lint.harness import get_harness
from fsagent_lint.source import Source
from fsagent_lint.surroundings import NOTHING_AROUND, Surroundings


def predict(adapter: Adapter, probe: Probe) -> Effect:
    """The effect of a probe's file, with all that lies beside it."""
    harness = get_harness(adapter.id)
    document = Document(Source(adapter.paths[probe.role], probe.text.encode()))
    around = _surroundings(adapter, probe) if probe.files or probe.servers else NOTHING_AROUND
    judge = effect_as_subagent if probe.role == "subagent" else effect
    found = judge(document, harness, harness.kinds[probe.kind], around=around)
    if found.loads and probe.kind == "agent" and found.name != "probe":
        return Effect(False, f"known as {found.name}", data=found.data)
    return found


def agrees(adapter: Adapter, found: Effect, seen: Observation) -> bool:
    return found.loads == seen.loads and predicted_tools(adapter, found) == seen_tools(adapter, seen)


def predicted_tools(adapter: Adapter, found: Effect) -> frozenset[str]:
    return frozenset((*found.tools, *found.ask, *found.custom)) - adapter.never_offered if found.loads else frozenset()


def seen_tools(adapter: Adapter, seen: Observation) -> frozenset[str]:
    return frozenset(seen.tools or ()) - adapter.never_offered


def _surroundings(adapter: Adapter, probe: Probe) -> Surroundings:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**adapter.project(probe), ".git/HEAD": ""}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        beside = Discoverer().beside(str(Path(folder, adapter.paths[probe.role])))
        around = beside.surroundings(get_harness(adapter.id), "probe")
    return around._replace(mcp=tuple((server, tool) for server, tools in probe.servers.items() for tool in tools))
