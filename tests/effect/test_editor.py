"""What VS Code says in its editor about the tools of a recorded file is what fsagent-lint says about them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conformance.adapters import get_adapter
from conformance.probe import Observation, Probe
from conformance.recording import recordings
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.verdicts import ClassifiedItem, Verdict
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness

VSCODE = get_harness("vscode")
RENAMED = re.compile(
    r"Tool or toolset '(.+?)' has been renamed, use (?:the following tools instead: (.+)|'(.+)' instead\.)"
)
UNKNOWN = re.compile(r"(?:Unknown tool|Unknown extension tool|Tool alias) '(.+?)'")
PROBES = recordings("vscode")["names"].probes


def items(probe: Probe) -> list[ClassifiedItem]:
    document = Document(Source(get_adapter("vscode").path(probe), probe.text.encode()))
    return [each for each in Subject(document, VSCODE, "agent").items if each.value.key == "tools"]


def parameter(probe: Probe, seen: Observation) -> Any:
    return pytest.param(probe, seen, id=probe.id)


@pytest.mark.parametrize(("probe", "seen"), [parameter(*each) for each in PROBES])
def test_the_editor_and_we_agree_about_every_name(probe: Probe, seen: Observation) -> None:
    said = "\n".join(seen.says)
    renamed = {name: set((many or one).split(", ")) for name, many, one in RENAMED.findall(said)}
    unknown = set(UNKNOWN.findall(said))
    for item in items(probe):
        name, granted = item.item.name, VSCODE.natives(item.item.name)
        if name in renamed:
            assert item.verdict in (Verdict.RENAMED, Verdict.REMOVED), name
            assert set(VSCODE.names[name].use) <= renamed[name], name
        elif name in unknown:
            assert all(is_conditional(tool) for tool in granted), name
        elif item.verdict != Verdict.KNOWN:
            # `new` is the name of a tool, too, for as long as nobody has signed in.
            assert name == "new" or name.partition("/")[0] in VSCODE.names, name


def is_conditional(tool: str) -> bool:
    """A tool that the observed VS Code may lack."""
    return VSCODE.tools[tool].presence == "conditional" or tool in get_adapter("vscode").never_offered


def test_the_editor_was_asked_about_names_of_each_sort() -> None:
    said = "\n".join(line for _, seen in PROBES for line in seen.says)
    assert len(RENAMED.findall(said)) > 50
    assert len(UNKNOWN.findall(said)) > 50
