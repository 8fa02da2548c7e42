"""FA004 missing-frontmatter."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait
from fsagent_lint.rules.stray_agent_file import is_readme


class MissingFrontmatter(Rule):
    """The file has no frontmatter, or it does not start on the first line.

    ## Why
    A comment, a blank line or a code fence before the opening `---` hides the frontmatter from every harness: the file
    is not loaded, or it is loaded without settings, so that the agent has every tool.

    It is a note if the harness takes a prompt alone for an agent, and if only the name of a file, which lies in no folder of
    a harness, says that it is a skill or an agent.

    ## What to do
    Start the file with `---`.
    """

    code = "FA004"
    name = "missing-frontmatter"
    consequence = Consequence.REFUSED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.MISSING,))
    examples = (
        Good("---\nname: a\ndescription: d\n---\n"),
        Good("Just a prompt.\n", kind="command"),
        Good("# Agents\n", path=".claude/agents/README.md"),
        Bad("⟦⟧You are a reviewer.\n"),
        Bad("⟦⟧<!-- made by hand -->\n---\nname: a\ndescription: d\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        source = subject.document.source
        if source.problem != "missing":
            return
        hidden = subject.document.hidden
        if not hidden and (subject.kind.frontmatter == "optional" or is_readme(subject.document.stem)):
            return
        what = "The frontmatter does not start on the first line" if hidden else "The file has no frontmatter"
        if subject.effect.loads:
            outcome = f"{subject.harness.title} loads the file without any settings"
            restricts = subject.kind_name in ("agent", "chatmode", "mode")
            consequence = Consequence.WIDENED if restricts else Consequence.IGNORED
            if not hidden:
                consequence = Consequence.STYLE  # a prompt alone is an agent there
        else:
            outcome, consequence = subject.skips_file, Consequence.REFUSED
            if subject.context.assumed and not hidden:
                consequence = Consequence.UNCERTAIN  # only its name is that of an agent
        advice = "Move the text above it into the prompt." if hidden else "Start the file with `---`."
        message = f"{what}; {outcome}. {advice}"
        yield self.finding(Span(0, 0), message, consequence=consequence)
