"""FA901 unused-ignore."""

from __future__ import annotations

from fsagent_lint.rules import Bad, Consequence, Good, Rule


class UnusedIgnore(Rule):
    """A comment that silences findings silences none.

    ## Why
    A comment that outlives its reason hides the next finding. It must name the rules that it silences, and they must
    exist. Rules that are not run, because they are not selected, are not expected to find anything.

    ## Fix safety
    Removing the name of a rule that finds nothing is safe: other names in the comment stay, and a comment without any
    is removed. Removing a name that no rule has is unsafe, as it may be misspelt. Comments in the body are left to you.
    """

    code = "FA901"
    name = "unused-ignore"
    consequence = Consequence.IGNORED
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Reed # fsagent: ignore[unknown-tool] ours\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read ⟦# fsagent: ignore[unknown-tool]⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read\n---\n",
        ),
    )
