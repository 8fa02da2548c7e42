"""FA006 executable-frontmatter."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait


class ExecutableFrontmatter(Rule):
    """The opening `---` is followed by the name of a language.

    ## Why
    OpenCode runs `---js` frontmatter as code when it loads the file, and reads `---json` as JSON. Every other harness
    finds no frontmatter.

    ## What to do
    Write plain YAML after a bare `---`.
    """

    code = "FA006"
    name = "executable-frontmatter"
    consequence = Consequence.REFUSED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.FENCE,))
    examples = (
        Good("---\nname: a\ndescription: d\n---\n"),
        Bad("---⟦js⟧\nname: a\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        source = subject.document.source
        language = source.opening.strip()
        if not language or language.startswith("-"):
            return
        start = source.text.find(language)
        runs = language.lower() in ("js", "javascript", "coffee", "cson")
        outcome = "OpenCode runs the frontmatter as code" if runs else "most harnesses find no frontmatter"
        message = f"The opening `---` is followed by `{language}`; {outcome}. Write a bare `---`."
        consequence = Consequence.WIDENED if runs else Consequence.REFUSED
        yield self.finding(Span(start, start + len(language)), message, consequence=consequence)
