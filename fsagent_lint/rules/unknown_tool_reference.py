"""FA407 unknown-tool-reference."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.vocabulary import suggest
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait
from fsagent_lint.rules._tool_fixes import listing
from fsagent_lint.suggest import ascii_lower

_MAX_NAMES = 1000
"""How many names of one prompt are compared with those of the harness."""


class UnknownToolReference(Rule):
    """The prompt refers to a tool by a name that the harness does not know.

    ## Why
    VS Code replaces `#tool:name` in a prompt with the tool. An unknown name stays text, and the model has to guess.

    ## When it is reported
    Only for names that are clearly wrong: old names, names with the wrong letter case, and typos of one letter. Servers
    and extensions add names that cannot be seen from a repository.
    """

    code = "FA407"
    name = "unknown-tool-reference"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.REFERENCES,))
    examples = (
        Good("---\ndescription: d\n---\nUse #tool:edit/editFiles and #tool:db/query.\n", harness="copilot"),
        Good("---\nname: a\ndescription: d\n---\nNo #tool:read/reedFile here.\n"),
        Bad("---\ndescription: d\n---\nBefüge: use #tool:⟦search/codebsae⟧.\n", harness="copilot"),
        Bad("---\ndescription: d\n---\nUse #tool:⟦Edit/EditFiles⟧, please.\n", harness="vscode", kind="prompt"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for harness in (subject.harness, *subject.shared_harnesses):
            source = subject.document.source
            if harness.reference and harness.reference.encode() in source.data:
                text = source.whole
                names: set[str] = set()
                for match in re.finditer(rf"{re.escape(harness.reference)}([\w/.-]+)", text[len(source.text) :]):
                    start = len(source.text) + match.start(1)
                    name = match[1].rstrip("/.-")  # the end of a sentence
                    if len(names) < _MAX_NAMES:
                        names.add(name)
                    if name in names and name and (what := _problem(name, harness)):
                        yield self.finding(Span(start, start + len(name)), what)


def _problem(name: str, harness: Harness) -> str:
    """What is clearly wrong with a name, and what to write; empty for a name that may be right."""
    known = harness.lookup(name)
    if known is not None:
        if known.status != "removed":
            return ""
        advice = f"Write {listing(known.use)}." if known.use else "Remove it."
        return f"{harness.title} no longer has a tool `{name}`, so the reference stays text. {advice}"
    guess = harness.spelling.get(ascii_lower(name)) or suggest(name, harness, sure=True)
    if guess is None or guess.rpartition("/")[2] == name:
        return ""
    return f"{harness.title} has no tool `{name}`, so the reference stays text. Write `{guess}`."
