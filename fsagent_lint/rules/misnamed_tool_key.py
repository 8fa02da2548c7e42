"""FA204 misnamed-tool-key."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import (
    ALL_AGENTS,
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Sort,
    Subject,
    Trait,
)


class MisnamedToolKey(Rule):
    """Tools are listed under a key that the harness does not read; its own key has another name.

    ## Why
    Without the right key an agent has every tool. `allowed-tools` in a Claude Code agent restricts nothing.

    ## Fix safety
    Safe where the value is valid under the right key as it stands. Unsafe where the right key approves tools: they
    would run without asking.
    """

    code = "FA204"
    name = "misnamed-tool-key"
    consequence = Consequence.WIDENED
    sorts = ALL_AGENTS
    about = frozenset((Trait.MISPLACED,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n"),
        Good("---\ndescription: d\nallowed-tools: Read\n---\n", kind="skill"),
        Bad(
            "---\nname: a\ndescription: d\n⟦allowed-tools⟧: Read, Grep\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Grep\n---\n",
        ),
        Bad(
            "---\ndescription: d\n⟦tools⟧: Bash(git diff:*)\n---\n",
            kind="command",
            fixed="---\ndescription: d\nallowed-tools: Bash(git diff:*)\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.misplaced:
            wrong = subject.kind.wrong_keys[value.key]
            if not wrong.use or (not value.items and value.shape != "list"):
                continue
            has_right_key = subject.document.get(wrong.use) is not None
            if subject.kind.unknown_fields == "refused":
                outcome, consequence = subject.refusal, Consequence.REFUSED
            elif not has_right_key and subject.kind.required_key == wrong.use:
                outcome, consequence = f"without `{wrong.use}` {subject.refusal}", Consequence.REFUSED
            elif wrong.role == "approve" or has_right_key:
                outcome, consequence = "it has no effect", Consequence.IGNORED
            else:
                outcome, consequence = "it restricts nothing", Consequence.WIDENED
            advice = "Move its entries to" if has_right_key else "Rename it to"
            span = value.entry.key.span
            fix = None
            if subject.sort is Sort.CALL:
                pass  # the name of an argument is never changed
            elif not has_right_key and value.shape in subject.kind.keys[wrong.use].forms:
                touches = frozenset((value.key, wrong.use))
                safety = Safety.UNSAFE if wrong.role == "approve" else Safety.SAFE
                fix = Fix(f"Rename to `{wrong.use}`", (Edit(span, wrong.use),), safety, touches)
            elif not has_right_key and wrong.role != "approve":
                from fsagent_lint.rewrite.convert_tools import native_form_fix

                fix = native_form_fix(subject)
            yield self.finding(
                span,
                f"{subject.unread(value.key)}; {outcome}. {advice} `{wrong.use}`.",
                consequence=consequence,
                fix=fix,
            )
