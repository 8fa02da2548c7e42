"""FA003 unclosed-frontmatter."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.fences import early_end, lost_key
from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait


class UnclosedFrontmatter(Rule):
    """The frontmatter has no closing `---`, or ends earlier than intended.

    ## Why
    Without a closing line Claude Code and Copilot find no frontmatter, and OpenCode reads the whole file as
    frontmatter. Claude Code ends the frontmatter at the first `---`, even in the middle of a line, and loses the keys
    below it. In every harness a line `---` ends the frontmatter, even between two parts of a description: the rest is
    part of the prompt, and `tools` in it restricts nothing.

    ## What to do
    Close the frontmatter with a line `---`, and use no other `---` inside it; in a description, indent it.

    ## When it is reported
    Tool keys in the prompt are reported if they are above its first `---`, at the start of a line, and not in a code
    block.
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
            outcome = "reads the whole file as frontmatter" if loads else "does not load the file"
            message = f"The frontmatter is not closed; {title} {outcome}. Add a closing line `---`."
            yield self.finding(Span(start, start + 3), message)
        elif source.problem is None and (end := early_end(subject)) is not None:
            below = [entry.name for entry in subject.document.entries if entry.start > end and entry.name]
            outcome = f"it loses the keys below: {', '.join(below)}" if below else "it loses the rest of the value"
            message = (
                f"{title} ends the frontmatter at the first `---`, even inside a line; {outcome}. Remove or replace it."
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
                f"The frontmatter ends at a line `---` above `{key}`, which is therefore part of the prompt and restricts "
                "nothing. Indent or remove that line."
            )
            yield self.finding(lost, message, consequence=Consequence.WIDENED)
