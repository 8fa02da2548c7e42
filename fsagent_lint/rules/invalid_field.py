"""FA402 invalid-field."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.fields import field_problem, is_empty
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject


class InvalidField(Rule):
    """A field has a value that the harness does not accept.

    ## Why
    OpenCode refuses to start if a colour is given by name or a temperature in quotes; Copilot refuses the file; Claude
    Code ignores the field.

    ## Fix safety
    Safe: a quoted number loses its quotes, `yes` becomes `true`, and the name of a colour becomes its hexadecimal
    value. Unsafe where the harness refused the file, and would now load an agent with harmful tools that it does not
    name.
    """

    code = "FA402"
    name = "invalid-field"
    consequence = Consequence.REFUSED
    examples = (
        Good("---\nname: a\ndescription: d\ncolor: blue\n---\n"),
        Good("---\ndescription: d\ncolor: '#00aaff'\n---\n", harness="opencode"),
        Good(
            "---\nname: qa\ndescription: d\ncolor: Automatic Color\n---\nYou test what others wrote.\n",
            harness="qwen",
        ),
        Bad(
            "---\ndescription: d\ncolor: ⟦blue⟧\n---\n",
            harness="opencode",
            fixed='---\ndescription: d\ncolor: "#3b82f6"\n---\n',
        ),
        Bad(
            "---\ndescription: d\ntemperature: ⟦'0.1'⟧\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntemperature: 0.1\n---\n",
        ),
        Bad(
            "---\ndescription: d\n⟦color⟧: #ff0000\n---\n",
            harness="opencode",
            fixed='---\ndescription: d\ncolor: "#ff0000"\n---\n',
        ),
        Bad("---\nname: a\ndescription: d\nmemory: ⟦forever⟧\n---\n"),
        Bad(
            'name = "a"\ndescription = "d"\ndeveloper_instructions = "r"\nsandbox_mode = ⟦"readonly"⟧\n',
            harness="codex",
            path=".codex/agents/a.toml",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        data, fields = subject.effect.data, subject.kind.fields
        for name, entry in subject.document.by_name.items():
            field = fields.get(name)
            if field is None or name not in data or (field.takes_any_text and type(data[name]) is str):
                continue
            if field.required and is_empty(entry.value, field):
                continue  # missing-field reports it
            problem = field_problem(data, name, field)
            if not problem:
                continue
            from fsagent_lint.rules._field_fix import field_fix

            is_harmless = field.meaning == "color" or name in _INFORMATIVE or data[name] in _DEFAULTS
            consequence = Consequence.STYLE if is_harmless else Consequence.IGNORED
            outcome = f"{subject.harness.title} ignores the field"
            if field.wrong == "refused":
                outcome, consequence = self.field_outcome(subject)
            node = entry.value if entry.value.end > entry.value.start else entry.key
            yield self.finding(
                node.span,
                f"{problem}; {outcome}.",
                consequence=consequence,
                fix=field_fix(subject, entry, field),
            )


_INFORMATIVE = ("license", "compatibility", "metadata")
"""Like the color, fields that change nothing that the agent does."""
_DEFAULTS = ("none", "default", "off")
"""Values that say what holds without the field, too."""
