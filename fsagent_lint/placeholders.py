"""What a harness replaces in a prompt before it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Span
from fsagent_lint.harnesses.kind import Kind


class Placeholder(NamedTuple):
    text: str
    span: Span


def unknown_placeholders(document: Document, kind: Kind) -> Iterator[Placeholder]:
    """Those of the body that the harness has nothing for."""
    if kind.placeholder:
        whole = document.source.whole
        for found in re.finditer(kind.placeholder, whole[len(document.source.text) :]):
            if found[1] not in kind.placeholders:
                start = len(document.source.text) + found.start()
                yield Placeholder(found[0], Span(start, start + len(found[0])))
