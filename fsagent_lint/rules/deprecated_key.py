"""FA206 deprecated-key."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class DeprecatedKey(Rule):
    """Tools are listed under a key that the harness has deprecated.

    ## Why
    A future release may drop it. Until then it works as intended, so this rule is off by default.
    """

    code = "FA206"
    name = "deprecated-key"
    consequence = Consequence.STYLE
    tag = "deprecated"
    opt_in = True
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good("---\ndescription: d\npermission: {bash: deny}\n---\n", harness="opencode"),
        Bad("---\ndescription: d\n⟦tools⟧: {bash: false}\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.values:
            instead = subject.kind.keys[value.key].instead
            if instead:
                yield self.finding(
                    value.entry.key.span,
                    f"`{value.key}` is deprecated in {subject.harness.title}. Write `{instead}`.",
                )
