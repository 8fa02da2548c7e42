"""FA604 lost-field."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.fields import field_problem
from fsagent_lint.frontmatter.nodes import Entry
from fsagent_lint.rules import Bad, Consequence, Finding, Fix, Good, Rule, Safety, Subject, Trait


class LostField(Rule):
    """The target harness would refuse the file because of a field, which is changed or dropped.

    ## Why
    OpenCode refuses to start if a colour is given by name. A field that the target refuses is written in a form that it
    accepts, or dropped.

    ## Fix safety
    Safe: in the target, the field only keeps the file from loading.
    """

    code = "FA604"
    name = "lost-field"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ncolor: blue\n---\n"),
        Good("---\nname: a\ndescription: d\nmodel: opus\n---\n", target="opencode"),
        Bad(
            "---\nname: a\ndescription: d\ncolor: ⟦blue⟧ # sky\n---\n",
            target="opencode",
            fixed='---\nname: a\ndescription: d\ncolor: "#3b82f6" # sky\n---\n',
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦mode: helper⟧\nmodel: opus\n---\n",
            target="opencode",
            fixed="---\nname: a\ndescription: d\nmodel: opus\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        target = subject.goal.target
        if target is None or target is subject.harness or subject.kind_name not in target.kinds:
            return
        from fsagent_lint.rewrite.goal import planned_conversion
        from fsagent_lint.rules._field_fix import field_fix

        conversion = planned_conversion(subject)
        if conversion is not None and conversion.error:
            return  # nothing is written at all
        converted = subject.like(target)
        for entry in subject.document.entries:
            field = converted.kind.fields.get(entry.name or "")
            if field is None or field.wrong != "refused" or entry.name not in converted.effect.data:
                continue
            if problem := field_problem(converted.effect.data, entry.name, field):
                yield self._report(converted, entry, problem, field_fix(converted, entry, field))

    def _report(self, converted: Subject, entry: Entry, problem: str, fix: Fix | None) -> Finding:
        text = converted.document.source.text
        if fix is not None:
            span, outcome = entry.value.span, "it is converted"
        else:
            from fsagent_lint.frontmatter.edits import delete_entry

            span, outcome = entry.span, "it is dropped"
            fix = Fix(
                f"Remove `{entry.name}`", (delete_entry(text, entry),), Safety.SAFE, frozenset((entry.name or "",))
            )
        span = span if span.end > span.start else entry.key.span
        return self.finding(span, f"{problem} in {converted.harness.title}; {outcome}.", fix=fix)
