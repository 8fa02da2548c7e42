"""FA114 user-only-skill."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._references import preloaded_skills


class UserOnlySkill(Rule):
    """An agent preloads a skill that only users can invoke.

    ## Why
    Claude Code loads the skills under `skills` when the agent starts, but leaves out every skill with
    `disable-model-invocation: true`. The agent runs without it, and there is no warning.

    ## What to do
    Remove `disable-model-invocation` from the skill, or take the skill out of the agent's `skills` and write what the
    agent has to know into its prompt.
    """

    code = "FA114"
    name = "user-only-skill"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.SPECIAL,))
    examples = (
        Good(
            "---\nname: a\ndescription: d\nskills: [release]\n---\n",
            files=((".claude/skills/release/SKILL.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\nname: a\ndescription: d\nskills: [⟦release⟧]\n---\n",
            files=((".claude/skills/release/SKILL.md", "---\ndescription: d\ndisable-model-invocation: true\n---\n"),),
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for name, span in preloaded_skills(subject):
            key = subject.neighbours.private_skill(subject.harness, name) if subject.neighbours is not None else ""
            if key:
                what = f"`{key}` in the skill `{name}` keeps {subject.harness.title} from preloading it; the agent runs without it."
                yield self.finding(span, f"{what} Remove `{key}`, or take the skill out of the list.")
