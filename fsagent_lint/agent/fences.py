"""Where a harness ends the frontmatter, if its author ends it somewhere else."""

from __future__ import annotations

from fsagent_lint._fast import pattern
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.nodes import Span

# What a harness accepts as the closing fence, if it does not require a line of its own.
_CUTS = {"prefix": "\n---", "anywhere": "---"}
_KEY_LINE = pattern(rb"[\r\n]([A-Za-z][\w-]*)[ \t]*:(?=[ \t\r\n])")
_MAX_LOST = 4096
"""How far below the frontmatter to look for a lost part of it."""


def early_end(subject: Subject) -> int | None:
    """Where the harness ends the frontmatter, if that is before the end that its author intended."""
    source = subject.document.source
    fence = _CUTS.get(subject.harness.fence)
    if fence is None or source.yaml.start == 0:
        return None
    found = source.text.find(fence, source.yaml.start - 1, source.yaml.end - 1)
    return found + len(fence) - 3 if found >= 0 else None


def lost_key(subject: Subject) -> Span | None:
    """A tool key in the prompt, followed by another `---`: its author thought it was part of the frontmatter."""
    source = subject.document.source
    fence = source.data.find(b"\n---", source.body + 1, source.body + _MAX_LOST)
    if fence < 0 or source.problem is not None or subject.values or subject.misplaced:
        return None
    for found in _KEY_LINE.finditer(source.data, source.body, fence):
        if found[1].decode() in subject.kind.keys and b"```" not in source.data[source.body : found.start()]:
            start = len(source.text) + len(source.data[source.body : found.start(1)].decode("utf-8", "replace"))
            return Span(start, start + len(found[1]))
    return None
