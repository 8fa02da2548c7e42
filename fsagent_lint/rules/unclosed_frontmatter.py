"""FA003 unclosed-frontmatter."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.fences import early_end, lost_key
from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait


class UnclosedFrontmatter(Rule):
    """The frontmatter has no closing `---`, or ends before its author thinks.

    ## Why
    Without a closing line Claude Code and Copilot see no frontmatter, and OpenCode takes the whole file for it. And
    Claude Code ends the frontmatter at the first `---` anywhere, even in the middle of a line: keys below it are lost.
    A line of its own that is just `---`, such as a rule between two parts of a description, ends it for everyone: what
    follows is prompt, and a `tools` in it restricts nothing.

    ## What to do
    Close the frontmatter with a line `---`, and use no `---` inside it; in a description, indent it.

    ## When it speaks
    About tool keys in the prompt where they stand above the first `---` of it, at the beginning of a line, and in no
    code block.
    """

    code = "FA003"
    name = "unclosed-frontmatter"
    consequence = Consequence.REFUSED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.UNCLOSED, Trait.FENCE))
    examples = (
        Good("---\nname: a\ndescription: d\n---\n"),
        Bad("⟦---⟧\nname: a\ndescription: d\n"),
        Bad("---\nname: a\ndescription: d\nmodel: opus ⟦---⟧ best\ntools: Read\n---\n"),
        Bad("---\nname: a\ndescription: |\n  One.\n---\n  Two.\n⟦tools⟧: Read\n---\nYou review.\n"),
        Good("---\nname: a\ndescription: d\n---\n```yaml\ntools: Read\n```\n---\nMore.\n"),
        Good("---\nname: a\ndescription: d\ntools: Read\n---\ntools: are listed above\n---\nMore.\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        source = subject.document.source
        title = subject.harness.title
        if source.problem == "unclosed":
            start = 1 if source.text.startswith("\ufeff") else 0
            loads = subject.effect.loads
            outcome = "reads the whole file as settings" if loads else "does not load the file"
            message = f"The frontmatter is not closed; {title} {outcome}. Add a line `---` at its end."
            yield self.finding(Span(start, start + 3), message)
        elif source.problem is None and (end := early_end(subject)) is not None:
            below = [entry.name for entry in subject.document.entries if entry.start > end and entry.name]
            outcome = f"the keys below it are lost: {', '.join(below)}" if below else "the rest of the value is lost"
            message = (
                f"{title} ends the frontmatter at the first `---`, even inside a line; {outcome}. Write it otherwise."
            )
            tools = any(name in subject.kind.keys for name in below)
            yield self.finding(
                Span(end, end + 3),
                message,
                consequence=Consequence.WIDENED if tools and subject.effect.loads else Consequence.REFUSED,
            )
        elif source.problem is None and (lost := lost_key(subject)) is not None:
            key = source.whole[lost.start : lost.end]
            message = (
                f"The frontmatter ends at the first line that is `---`, above `{key}`, which is part of the prompt and "
                "restricts nothing. Indent that line, or take it out."
            )
            yield self.finding(lost, message, consequence=Consequence.WIDENED)
