"""Values to be filled in, such as `name: "{{name}}"` or `tools: <TOOLS>`: they are not what the harness will read."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.model.finding import Finding

_PLACEHOLDERS = ("{{", "<")
_FILLED_IN = pattern(r"""["']?(?:(?:[\w-]*\{\{[^{}\r\n]+\}\})+[\w-]*|<[A-Za-z][^<>\r\n]*>)["']?""")


def without_placeholders(document: Document, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that are not about such a value, or about an entry of a list that is one."""
    text = document.source.text
    if not findings or not any(each in text for each in _PLACEHOLDERS):
        return list(findings)
    entries = [entry for entry in document.entries if _FILLED_IN.fullmatch(text, entry.value.start, entry.value.end)]

    def is_filled_in(finding: Finding) -> bool:
        start, end = finding.span
        if any(entry.start <= start and end <= entry.end for entry in entries):
            return True
        return _FILLED_IN.fullmatch(text, start, end) is not None

    return [finding for finding in findings if not is_filled_in(finding)]
