"""FA009 unclear-harness."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Group, Rule, Sort, Span, Subject


class UnclearHarness(Rule):
    """Several harnesses read the folder, so the file's harness is not known.

    ## Why
    Antigravity, Goose, Kimi Code and OpenHands all read `.agents/agents`, and each interprets the same keys
    differently. A file there is not checked until its harness is known.

    ## What to do
    Set the harness on the command line, `--harness H`, or in the config:

        [[paths]]
        glob = ".agents/agents/*.md"
        harness = "canonical"

    A link to the file from the folder of a harness sets it, too.
    """

    code = "FA009"
    name = "unclear-harness"
    consequence = Consequence.STYLE
    sorts = frozenset((Sort.UNCLEAR,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", path=".agents/agents/a.md"),
        Bad("⟦---⟧\nname: a\ndescription: d\ntools: Raed\n---\n", harness="", path=".agents/agents/a.md"),
        Bad("⟦⟧You review changes.\n", harness="", path=".agents/agents/a.md"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.sort is not Sort.UNCLEAR:
            return
        message = (
            "Several harnesses read this folder, so the file was not checked. "
            "Set its harness with --harness, or with `[[paths]]` in the config."
        )
        missing = subject.document.source.problem == "missing"
        span = Span(0, 0) if missing else subject.document.opening_fence
        yield self.finding(span, message, group=Group(message, across_files=True))
