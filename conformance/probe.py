"""A probe: one file to run on a harness, its neighbours, and the calls of the stand-in model."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from conformance.errors import LabError
from fsagent_lint.harnesses.versions import version_key

ROOT = Path(__file__).parent.parent
PROBES = Path(__file__).parent / "probes"
TRUTH = ROOT / "tests" / "truth"

Role = Literal["agent", "subagent", "skill", "loaded-skill", "command"]
RESULTS = ("loads", "error", "tools", "ran", "started", "says")
"""The keys that an observation adds to a probe."""


@dataclass(frozen=True)
class Call:
    """A tool that the stand-in model calls, once."""

    tool: str
    input: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Probe:
    """`frontmatter` gets a name and a description if it has none; `document` is a whole file."""

    id: str
    role: Role = "agent"
    """subagent: another agent delegates to it. skill: a person asks for it; loaded-skill: the model does."""
    frontmatter: str = ""
    document: str | None = None
    padding: tuple[str, int] = ("", 0)
    """A text, and how many times it is repeated at the end of the document."""
    files: dict[str, str] = field(default_factory=dict)
    """Other files of the project: path to text."""
    servers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """MCP servers that the project configures: name to the tools of each."""
    calls: tuple[Call, ...] = ()
    """The calls of the model, in this order, each as soon as its tool is offered."""
    path: str = ""
    """Where the file lies, if not in the harness's own folder."""

    @property
    def kind(self) -> str:
        """The kind of the file in fsagent-lint."""
        return {"subagent": "agent", "loaded-skill": "skill"}.get(self.role, self.role)

    @property
    def text(self) -> str:
        """The text of the file."""
        if self.document is not None:
            unit, times = self.padding
            return self.document + unit * times
        head = "" if re.search(r"^name\s*:", self.frontmatter, re.MULTILINE) else "name: probe\n"
        head += "" if re.search(r"^description\s*:", self.frontmatter, re.MULTILINE) else "description: A probe.\n"
        body = self.frontmatter.rstrip("\n")
        return f"---\n{head}{body}\n---\nSay ok.\n"


@dataclass(frozen=True)
class Observation:
    """What the harness did."""

    loads: bool
    error: str | None = None
    tools: tuple[str, ...] | None = None
    """The native names of the tools that the model was offered while the file was active; None: it never was."""
    ran: bool | None = None
    """Did the last call run? None if there was no call, or if it could not be tried."""
    started: bool = True
    """False: the harness knows the agent or skill, and refused to start it for another agent; `error` says why."""
    says: tuple[str, ...] = ()
    """What an editor says about the file, from its beginning to its end."""


_DEFAULTS = {each.name: each.default for each in fields(Probe)}


def as_probe(data: dict[str, Any]) -> Probe:
    """A probe from its data, without the results of an observation."""
    known = {key: value for key, value in data.items() if key not in RESULTS}
    if unknown := known.keys() - _DEFAULTS.keys():
        raise LabError(f"probe {data.get('id')!r} has unknown keys: {', '.join(sorted(unknown))}")
    if "padding" in known:
        known["padding"] = tuple(known["padding"])
    if "servers" in known:
        known["servers"] = {name: tuple(tools) for name, tools in known["servers"].items()}
    if "calls" in known:
        known["calls"] = tuple(Call(**call) for call in known["calls"])
    return Probe(**known)


def as_observation(data: dict[str, Any]) -> Observation:
    tools = None if data["tools"] is None else tuple(data["tools"])
    return Observation(
        data["loads"], data["error"], tools, data.get("ran"), data.get("started", True), tuple(data.get("says", ()))
    )


def as_data(probe: Probe, observation: Observation | None = None) -> dict[str, Any]:
    """The data for a recording: the values that differ from the defaults, then the observation."""
    blank = Probe(probe.id)
    data = {key: value for key, value in asdict(probe).items() if key == "id" or value != asdict(blank)[key]}
    if probe.document is None:
        data["frontmatter"] = probe.frontmatter
    if observation is not None:
        data |= {"loads": observation.loads, "error": observation.error, "tools": observation.tools}
        if observation.ran is not None:
            data["ran"] = observation.ran
        if not observation.started:
            data["started"] = False
        if observation.says:
            data["says"] = observation.says
    return data


def probe_sets(harness: str) -> dict[str, list[Probe]]:
    """Every set of probes for a harness: from TOML files, and from the recordings, which contain their probes."""
    newest = max((TRUTH / harness).glob("*"), key=lambda folder: version_key(folder.name), default=TRUTH / harness)
    sets = {path.stem: _from_recording(path) for path in sorted(newest.glob("*.json"))}
    return sets | {path.name.partition(".")[0]: _from_toml(path) for path in sorted(PROBES.glob(f"*.{harness}.toml"))}


def _from_recording(path: Path) -> list[Probe]:
    return [as_probe(each) for each in json.loads(path.read_text(encoding="utf-8"))["probes"]]


def _from_toml(path: Path) -> list[Probe]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{path}: {error}") from error
    return [as_probe({**data.get("every", {}), **each}) for each in data["probes"]]
