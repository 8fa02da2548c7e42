"""FA303 shadowed-rule."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.gates import shadowed_rules
from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Span, Subject


class ShadowedRule(Rule):
    """A later entry of a permission map overrides an earlier one that says something else.

    ## Why
    In OpenCode the last entry that matches decides. `{read: allow, "*": deny}` denies everything: the general entry
    has to come first.

    ## What to do
    Move the general entry up.
    """

    code = "FA303"
    name = "shadowed-rule"
    consequence = Consequence.NARROWED
    examples = (
        Good("---\ndescription: d\npermission: {'*': deny, read: allow}\n---\n", harness="opencode"),
        Bad("---\ndescription: d\npermission:\n  ⟦read⟧: allow\n  '*': deny\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\npermission:\n  bash:\n    ⟦'git *'⟧: allow\n    '*': deny\n---\n",
            harness="opencode",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for early, late, action, later in shadowed_rules(subject):
            yield self.finding(
                Span(early.key.start, early.key.end),
                f"`{early.name}` ({action}) is overridden by `{late.name}` ({later}) further down: in "
                f"{subject.harness.title} the last match decides. Put the general entry first.",
                consequence=Consequence.WIDENED if later.strength > action.strength else Consequence.NARROWED,
            )
