"""FA409 name-must-match-folder."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.fields import field_problem
from fsagent_lint.rules import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Subject, Trait


class NameMustMatchFolder(Rule):
    """The name must be that of the folder, but differs from it.

    ## Why
    The Agent Skills specification requires it. Its validator refuses the skill, and so do clients that follow it. A
    `SKILL.md` inside the folder of another skill is a part of that one, and may have any name; so may one that does not
    lie in a folder of skills, as it gets its folder when it is installed.

    ## Fix safety
    Unsafe: which of the two names is right is a guess.
    """

    code = "FA409"
    name = "name-must-match-folder"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.IDENTITY,))
    examples = (
        Good(
            "---\nname: pdf-forms\ndescription: d\n---\n",
            harness="agent-skills",
            kind="skill",
            path=".agents/skills/pdf-forms/SKILL.md",
        ),
        Good("---\nname: forms\ndescription: d\n---\n", kind="skill", path=".claude/skills/pdf-forms/SKILL.md"),
        Good(
            "---\nname: pdf-forms\ndescription: d\n---\n",
            harness="agent-skills",
            kind="skill",
            path=".agents/skills/pdf/forms/SKILL.md",
            files=((".agents/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: d\n---\n"),),
        ),
        Good(
            "---\nname: forms\ndescription: d\n---\n", harness="agent-skills", kind="skill", path="pdf-plugin/SKILL.md"
        ),
        Bad(
            "---\nname: ⟦forms⟧\ndescription: d\n---\n",
            harness="agent-skills",
            kind="skill",
            path=".agents/skills/pdf-forms/SKILL.md",
            fixed="---\nname: pdf-forms\ndescription: d\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        known = subject.file_identity
        for key in subject.kind.identity_fields:
            entry, field = subject.document.get(key), subject.kind.fields[key]
            name = subject.document.text_of(key) if entry is not None else None
            if entry is None or not name or not known or name == known or field_problem({key: name}, key, field):
                continue  # invalid-field reports a name that no folder may have
            if subject.kind_name == "skill" and (_is_in_skill(subject) or not _is_among_skills(subject)):
                continue
            place = _PLACES[subject.kind.identity]
            outcome, consequence = f"{subject.harness.title} uses the name of the {place}", Consequence.IGNORED
            if field.wrong == "refused":
                outcome, consequence = self.field_outcome(subject)
            fix = None
            if not field_problem({key: known}, key, field) and not entry.value.marked:
                from fsagent_lint.frontmatter.quoting import quote

                edit = Edit(entry.value.span, quote(known))
                fix = Fix(f"Write `{known}`", (edit,), Safety.UNSAFE, frozenset((key,)))
            yield self.finding(
                entry.value.span,
                f"`{key}` is `{name}`, but the {place} is named `{known}`; {outcome}. Rename one of them.",
                consequence=consequence,
                fix=fix,
            )


def _is_in_skill(subject: Subject) -> bool:
    return subject.neighbours is not None and subject.neighbours.is_in_skill()


def _is_among_skills(subject: Subject) -> bool:
    """Does the file lie in a folder of skills? Elsewhere its folder will have another name once it is installed."""
    folders = {segment for glob in subject.kind.globs for segment in glob.split("/")[:-1]}
    return not folders.isdisjoint(subject.document.source.path.replace("\\", "/").split("/")[:-2])


_PLACES = {"name": "file", "file": "file", "folder": "folder"}
