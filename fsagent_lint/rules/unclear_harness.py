"""FA009 unclear-harness."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject


class UnclearHarness(Rule):
    """Several harnesses read the folder, and nothing says whose agent the file is.

    ## Why
    Antigravity, Goose, Kimi Code and OpenHands all look into `.agents/agents`, and each makes something else of the
    same words. A file there is not judged before somebody says whose it is.

    ## What to do
    Say it on the command line, `--harness H`, or in the config:

        [[paths]]
        glob = ".agents/agents/*.md"
        harness = "canonical"

    A link to the file from the folder of a harness says it, too.
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
            "Several harnesses read this folder, so the file was not judged. "
            "Say whose it is: --harness, or `[[paths]]` in the config."
        )
        missing = subject.document.source.problem == "missing"
        yield self.finding(Span(0, 0) if missing else subject.document.opening_fence, message)
