"""FA204 misnamed-tool-key."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.harnesses.kind import WrongKey
from fsagent_lint.rules import (
    ALL_AGENTS,
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Group,
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

    ## What to do
    Rename the key. In skills and commands, look at the entries first: `allowed-tools` there is no list of the tools that
    may be used, but lets those that it names run without asking. If the model should simply use its tools as usual, remove
    the key.

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
            message = f"{subject.unread(value.key)}; {outcome}. {_advice(wrong, has_right_key=has_right_key)}"
            # A dead key is one habit of a project; a key that fails to restrict is a problem of each agent.
            group = Group(message, across_files=True) if consequence is Consequence.IGNORED else None
            yield self.finding(span, message, consequence=consequence, fix=fix, group=group)


def _advice(wrong: WrongKey, *, has_right_key: bool) -> str:
    if has_right_key:
        return f"Move its entries to `{wrong.use}`."
    if wrong.role == "approve":
        return f"Remove it, or rename it to `{wrong.use}` to let these tools run without asking."
    return f"Rename it to `{wrong.use}`."
