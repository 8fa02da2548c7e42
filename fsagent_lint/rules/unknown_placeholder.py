"""FA410 unknown-placeholder."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.effect import unknown_placeholders
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class UnknownPlaceholder(Rule):
    """The prompt contains a placeholder that the harness cannot replace.

    ## Why
    Gemini CLI and Qwen Code treat every `${name}` in a prompt as a placeholder, also in examples of shell or JavaScript
    code. The agent is listed, but fails whenever it is started. Kilo does not load an agent of the project that refers
    to an environment variable with `{env:NAME}`.

    ## What to do
    Write it in another way: `$name`, `${name:-}`, or in words.
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
            message = f"{subject.harness.title} cannot replace `{found.text}`, so the agent does not run. Write it without braces."
            yield self.finding(found.span, message)
