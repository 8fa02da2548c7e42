"""FA404 deprecated-field."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class DeprecatedField(Rule):
    """A field still works, but the harness has deprecated it.

    ## Why
    A future release may drop it. Until then it works as intended, so this rule is off by default.
    """

    code = "FA404"
    name = "deprecated-field"
    consequence = Consequence.STYLE
    tag = "deprecated"
    opt_in = True
    about = frozenset((Trait.SPECIAL,))
    examples = (
        Good("---\ndescription: d\nsteps: 5\n---\n", harness="opencode"),
        Bad("---\ndescription: d\n⟦maxSteps⟧: 5\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.document.entries:
            field = subject.kind.fields.get(entry.name or "")
            if field is not None and field.instead:
                message = f"`{entry.name}` is deprecated in {subject.harness.title}. Write `{field.instead}`."
                yield self.finding(entry.key.span, message)
