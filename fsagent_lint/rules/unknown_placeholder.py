"""FA410 unknown-placeholder."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.effect import unknown_placeholders
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class UnknownPlaceholder(Rule):
    """A prompt has a placeholder that the harness has nothing for.

    ## Why
    Gemini CLI and Qwen Code take every `${name}` in a prompt for a placeholder, in examples of shell or JavaScript
    code, too. The agent is listed, but whenever it is started it fails. Kilo does not load a project's agent that asks
    for a variable of the environment, `{env:NAME}`.

    ## What to do
    Write it another way: `$name`, `${name:-}`, or in words.
    """

    code = "FA410"
    name = "unknown-placeholder"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.PROMPT,))
    examples = (
        Good("---\nname: a\ndescription: d\n---\nIt is ${today}, and $HOME is yours.\n", harness="gemini"),
        Good("---\nname: a\ndescription: d\n---\nGo to ${HOME}.\n"),
        Bad("---\nname: a\ndescription: d\n---\nGo to ⟦${HOME}⟧.\n", harness="gemini"),
        Bad("---\nname: ab\ndescription: d\n---\nLook at ⟦${item}⟧ first.\n", harness="qwen"),
        Bad("---\ndescription: d\n---\nThe key is ⟦{env:KEY}⟧.\n", harness="kilo"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for found in unknown_placeholders(subject.document, subject.kind):
            message = (
                f"{subject.harness.title} has nothing to put in place of `{found.text}`, and the agent does not run. "
                "Write it without braces."
            )
            yield self.finding(found.span, message)
