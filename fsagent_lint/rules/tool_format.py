"""FA207 tool-format."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.model.tool import accepts
from fsagent_lint.rules import Bad, Consequence, Finding, Fix, Good, Rule, Safety, Subject, Trait


class ToolFormat(Rule):
    """The tools are not written for the requested harness, or not in the requested format.

    ## Why
    `--target` and `--tool-format`, or `target` and `tool-format` in the config, set how the files of a project are
    written. Without them this rule reports nothing, and neither does it where the harness does not support the format.

    A file is not rewritten for another harness if a harness that reads its folder would then grant more, grant nothing
    or not load it. The message then names the `convert` command that writes a new file.

    ## Fix safety
    Safe: it writes the tools that are listed, in the target's native names. What the target cannot express is reported
    as a finding of its own, and nothing is written that adds a risk.
    """

    code = "FA207"
    name = "tool-format"
    consequence = Consequence.STYLE
    about = frozenset((Trait.GOAL,))
    checks_conversions = True
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n"),
        Good("---\ndescription: d\ntools: {bash: false}\n---\n", harness="opencode", form="list"),
        Bad(
            "---\nname: a\ndescription: d\n⟦tools⟧: Read, Bash # both\n---\n",
            target="opencode",
            fixed='---\nname: a\ndescription: d\npermission: # both\n  "*": deny\n  read: allow\n  bash: allow\n---\n',
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦tools⟧:\n  - Read\n  - Grep\n---\n",
            form="csv",
            fixed="---\nname: a\ndescription: d\ntools: Read, Grep\n---\n",
        ),
        Bad(
            "---\ndescription: d\n⟦tools⟧: [Read, runCommands, 'edit']\n---\n",
            harness="copilot",
            form="native",
            fixed='---\ndescription: d\ntools: ["read", "execute", "edit"]\n---\n',
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        from fsagent_lint.rewrite.goal import planned_conversion

        conversion = planned_conversion(subject)
        if conversion is None or not (conversion.edits or conversion.error):
            return
        target = subject.goal.target or subject.harness
        values = sorted((*subject.values, *subject.misplaced), key=lambda value: value.entry.start)
        key = values[0].entry.key if values else None
        span = key.span if key is not None else subject.document.opening_fence
        if conversion.error:
            yield self.finding(span, f"{conversion.error}.", consequence=Consequence.REFUSED)
            return
        refused = any(
            loss.kind == "widened" and not accepts(subject.goal.accept, loss.tool) for loss in conversion.losses
        )
        title = f"Write the tools for {target.title}"
        fix = Fix(title, conversion.edits, Safety.SAFE, conversion.touches)
        form = "" if subject.form in ("auto", "native") else f" as {subject.form}"
        message = f"The tools are not written for {target.title}{form}."
        if subject.form == "native" and target is subject.harness:
            message = f"The tools are not written in the usual format of {target.title}."
        yield self.finding(span, message, fix=None if refused else fix)
