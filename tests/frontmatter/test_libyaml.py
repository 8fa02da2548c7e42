"""Where PyYAML has no libyaml, a parser in Python reads the files: it finds the same problems, in the same words."""

from __future__ import annotations

import pytest

from conformance.adapters import names
from conformance.recording import recordings, versions
from fsagent_lint.frontmatter import libyaml
from fsagent_lint.frontmatter.nodes import ParseError
from fsagent_lint.frontmatter.source import Source

OTHERWISE = ("\t", "?,", "\\ud83d", "\ufeff")
"""A tab after a colon, and the like: what only one of the two accepts."""


def texts() -> list[str]:
    """The frontmatter of every recorded file that both read alike."""
    sources = (
        Source("a.md", probe.text.encode("utf-8", "surrogatepass"))
        for id in names()
        for recording in recordings(id, versions(id)[0]).values()
        for probe, _ in recording.probes
    )
    found = {source.text[source.yaml.start : source.yaml.end] for source in sources if source.problem is None}
    return sorted(text for text in found if not any(part in text for part in OTHERWISE))


def problem(text: str) -> tuple[str, int] | None:
    try:
        libyaml.compose(text)
    except ParseError as error:
        return error.problem, error.offset
    return None


@pytest.mark.skipif(not libyaml.HAS_LIBYAML, reason="needs libyaml, to compare with")
def test_the_parser_in_python_finds_the_same_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = {text: problem(text) for text in texts()}
    monkeypatch.setattr(libyaml, "HAS_LIBYAML", False)
    differing = {text: (usual[text], found) for text in usual if (found := problem(text)) != usual[text]}
    assert sum(found is not None for found in usual.values()) > 50
    assert differing == {}
