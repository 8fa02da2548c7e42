"""FA112 unknown-skill."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._references import named_skills
from fsagent_lint.suggest import nearest


class UnknownSkill(Rule):
    """An entry names a skill that the project does not have, but one of a similar name exists.

    ## Why
    `skills` loads skills by name; `Skill(x)` and patterns under `permission.skill` allow or deny them. A name that no
    skill has loads, allows and denies nothing, and harnesses give no warning.

    ## When it is reported
    Only if the project has a skill with a similar name. Skills also come from home folders, plugins and the harness
    itself, so any other name may be right.
    """

    code = "FA112"
    name = "unknown-skill"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.SPECIAL, Trait.SCOPE))
    examples = (
        Good(
            "---\nname: a\ndescription: d\nskills: [release-notes, mine, verify]\n---\n",
            files=((".claude/skills/release-notes/SKILL.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\nname: a\ndescription: d\nskills: [⟦relase-notes⟧]\n---\n",
            files=((".claude/skills/release-notes/SKILL.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Skill(realese)⟧\n---\n",
            files=((".claude/skills/release/SKILL.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            '---\ndescription: d\npermission:\n  skill:\n    "*": deny\n    ⟦pdfs-tool⟧: allow\n---\n',
            harness="opencode",
            files=((".agents/skills/pdf-tools/SKILL.md", "---\nname: pdf-tools\ndescription: d\n---\n"),),
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        named = list(named_skills(subject))
        if not named or not subject.known_skills:
            return
        known = subject.known_skills.union(*(each.skills for each in (subject.harness, *subject.shared_harnesses)))
        ordered = sorted(subject.known_skills)
        for name, span in named:
            guess = nearest(name, ordered) if name not in known else None
            if guess is not None:
                message = f"The project has no skill `{name}` for {subject.harness.title}; the entry has no effect."
                yield self.finding(span, f"{message} Did you mean `{guess}`?")
