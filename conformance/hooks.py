"""Tries what docs/hooks.md describes: the real program writes a wrong agent, and is told what is wrong with it.

Run in a namespace of its own; the first line of standard input says which harness and which program.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from conformance import sandbox
from conformance.adapters import get_adapter
from conformance.errors import LabError
from conformance.install import Installed
from conformance.observe import laid_out, runner
from conformance.probe import ROOT, Call, Probe

DOCUMENTED = "fsagent-lint hook"
OURS = f"{shlex.quote(sys.executable)} -P -m fsagent_lint hook"
EXPECTED = "wrong-tools-shape"


class Setup(NamedTuple):
    """How a harness is set up, and what its model does."""

    file: str
    text: str
    tool: str
    path_key: str
    agent: str
    content: str


def _settings() -> str:
    """The settings that the page shows, with the permission to write that a person would give."""
    page = (ROOT / "docs/hooks.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return json.dumps({**json.loads(block), "permissions": {"allow": ["Write", "Edit"], "defaultMode": "acceptEdits"}})


SETUPS = {
    "claude-code": lambda: Setup(
        ".claude/settings.json",
        _settings(),
        "Write",
        "file_path",
        ".opencode/agents/reviewer.md",
        "---\ndescription: Reviews.\nmode: subagent\ntools: [read]\n---\nYou review.\n",
    ),
    "opencode": lambda: Setup(
        ".opencode/plugin/fsagent-lint.js",
        (ROOT / "editors/opencode/fsagent-lint.js").read_text(encoding="utf-8"),
        "write",
        "filePath",
        ".opencode/agents/reviewer.md",
        "---\ndescription: Reviews.\nmode: subagent\ntools: [read]\n---\nYou review.\n",
    ),
}


def what_it_is_told(harness: str, program: Installed) -> str:
    """What the model of a harness is told after it has written the agent."""
    setup = json.dumps({"harness": harness, "program": program.program, "unpacked": str(program.unpacked)})
    command = [*sandbox.command(), sys.executable, "-m", "conformance.hooks"]
    done = subprocess.run(command, cwd=ROOT, input=setup, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(done.stderr.strip()[-2000:])
    return done.stdout


def _told(harness: str, program: list[str], unpacked: Path) -> str:
    adapter, setup = get_adapter(harness), SETUPS[harness]()
    if DOCUMENTED not in setup.text:
        raise LabError(f"{setup.file} does not run `{DOCUMENTED}`")
    probe = Probe("hook", files={setup.file: setup.text.replace(DOCUMENTED, OURS)})
    with laid_out(adapter, probe) as place, closing(runner(adapter, program, unpacked)) as own:
        call = Call(setup.tool, {setup.path_key: str(place / "project" / setup.agent), "content": setup.content})
        output, model = own.run(replace(probe, calls=(call,)), place)
        if not any(call == each for each, _ in model.called):
            raise LabError(f"the model was not offered {setup.tool}: {output[-1000:]}")
        return model.requests[-1].conversation


def main() -> None:
    setup = json.loads(sys.stdin.readline())
    try:
        sandbox.enter()
        print(_told(setup["harness"], setup["program"], Path(setup["unpacked"])))
    except LabError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
