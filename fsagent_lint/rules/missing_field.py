"""FA401 missing-field."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.fields import is_empty
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Subject, Trait


class MissingField(Rule):
    """A required field is missing or empty.

    ## Why
    Without it the harness does not load the file, or never offers it to the model.
    """

    code = "FA401"
    name = "missing-field"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.LACKING,))
    examples = (
        Good("---\nname: a\ndescription: d\n---\n"),
        Bad("⟦---⟧\nname: a\n---\n"),
        Bad("---\nname: a\n⟦description⟧:\n---\n"),
        Bad('{"command": {⟦"test"⟧: {"description": "d"}}}\n', harness="opencode", kind="config", path="opencode.json"),
        Good(
            'developer_instructions = "Read."\n',
            harness="codex",
            path=".codex/agents/reader.toml",
            files=((".codex/config.toml", '[agents.reader]\ndescription = "d"\nconfig_file = "agents/reader.toml"\n'),),
        ),
        Good(
            'developer_instructions = "Read."\n',
            harness="codex",
            path=".codex/agents/reader.toml",
            files=((".codex/config.toml", "[agents]\n[agents]\n"),),
        ),
        Good(
            'sandbox_mode = "read-only"\n',
            harness="codex",
            path=".codex/agents/reader.toml",
            files=((".codex/config.toml", '[agents.reader]\ndescription = "d"\nconfig_file = "agents/reader.toml"\n'),),
        ),
        Bad(
            '⟦name⟧ = "reader"\ndeveloper_instructions = "Read."\n',
            harness="codex",
            path=".codex/agents/reader.toml",
            files=((".codex/config.toml", '[agents.reader]\nconfig_file = "agents/reader.toml"\n'),),
        ),
        Good(
            "customModes:\n  - slug: a\n    name: A\n    roleDefinition: r\n    groups: []\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
        ),
        Bad(
            "customModes:\n  - ⟦slug⟧: a\n    name: A\n    roleDefinition: r\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.document.source.problem is not None or subject.document.root_is_not_map:
            return
        if (needed := subject.kind.required_key) and subject.document.get(needed) is None:
            message = f"`{needed}` is missing; {_unloaded(subject)}. Add it."
            yield self.finding(subject.document.opening_fence, message, consequence=Consequence.REFUSED)
        elsewhere = {key for layer in subject.surroundings().under for key in layer}
        for key, field in subject.kind.required.items():
            entry = subject.document.get(key)
            if entry is None and key in elsewhere:
                continue
            if entry is not None and not is_empty(entry.value, field):
                continue
            span = entry.key.span if entry is not None else subject.document.opening_fence
            outcome, consequence = "it is never offered to the model", Consequence.IGNORED
            if field.wrong == "refused":
                outcome, consequence = _unloaded(subject), Consequence.REFUSED
            if subject.harness.standard:
                outcome, consequence = f"{subject.harness.title} requires it", Consequence.FRAGILE
            what = "is empty" if entry is not None else "is missing"
            yield self.finding(
                span,
                f"`{key}` {what}; {outcome}. Add it.",
                consequence=consequence,
            )


def _unloaded(subject: Subject) -> str:
    is_file = subject.sort is Sort.MARKDOWN
    return subject.skips_file if is_file else subject.refuses
