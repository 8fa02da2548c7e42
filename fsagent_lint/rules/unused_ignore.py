"""FA901 unused-ignore."""

from __future__ import annotations

from fsagent_lint.rules import Bad, Consequence, Good, Rule


class UnusedIgnore(Rule):
    """A suppression comment matches no finding.

    ## Why
    A comment that outlives its reason hides the next finding. It must name the rules that it suppresses, and they must
    exist. Rules that are not selected do not count as unused.

    ## Fix safety
    Removing the name of a rule that finds nothing is safe: other names in the comment stay, and a comment without any
    is removed. Removing the name of an unknown rule is unsafe, since it may be misspelt. Comments in the body are not
    changed.
    """

    code = "FA901"
    name = "unused-ignore"
    consequence = Consequence.IGNORED
    tag = "unnecessary"
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Reed # fsagent: ignore[unknown-tool] ours\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read ⟦# fsagent: ignore[unknown-tool]⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read\n---\n",
        ),
    )
