"""FA205 unsupported-tool-key."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Fix, Good, Rule, Safety, Subject, Trait


class UnsupportedToolKey(Rule):
    """Tools are allowed or denied under a key that the harness does not read and has no equivalent of.

    ## Why
    Copilot and VS Code cannot deny a tool: `disallowedTools` has no effect there. Cursor reads no list of tools: an
    agent is `readonly`, or it has every tool.

    ## What to do
    Express the intent in a way that the harness supports: list the tools that remain.

    ## Fix safety
    Unsafe: a list of the remaining tools also leaves out the tools of MCP servers and extensions.
    """

    code = "FA205"
    name = "unsupported-tool-key"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.MISPLACED,))
    examples = (
        Good("---\nname: a\ndescription: d\ndisallowedTools: Bash\n---\n"),
        Bad(
            "---\ndescription: d\n⟦disallowedTools⟧: [Bash, Agent]\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: [read, edit, search, web, todo]\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦tools⟧: Read, Grep\n---\n",
            harness="cursor",
            fixed="---\nname: a\ndescription: d\nreadonly: true\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧: Read, Bash\n---\n", harness="cursor"),
        Bad("---\nname: a\ndescription: d\nreadonly: true\n⟦tools⟧: Read\n---\n", harness="cursor"),
        Bad("---\ndescription: d\ntools: [read]\n⟦disallowedTools⟧: [edit]\n---\n", harness="copilot"),
        Bad("---\ndescription: d\n⟦permission⟧: {edit: deny}\n---\n", harness="opencode", kind="command"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.misplaced:
            wrong = subject.kind.wrong_keys[value.key]
            if wrong.use:
                continue
            approves, is_agent = wrong.role == "approve", subject.kind_name in _AGENTS
            restricts = not approves and is_agent and _is_widened(subject)
            outcome = "it approves nothing" if approves else "it restricts nothing"
            consequence = Consequence.WIDENED if restricts else Consequence.IGNORED
            if approves or (is_agent and not restricts):
                consequence = Consequence.STYLE  # the harness asks, or another key restricts the agent already
            if subject.kind.unknown_fields == "refused":
                outcome, consequence = subject.refusal, Consequence.REFUSED
            yield self.finding(
                value.entry.key.span,
                f"{subject.harness.title} does not read `{value.key}` in {subject.a_kind}; {outcome}. "
                f"{'Remove it.' if approves else _advice(subject)}",
                consequence=consequence,
                fix=_fix(subject) if restricts else None,
            )


_AGENTS = ("agent", "chatmode", "mode")


def _advice(subject: Subject) -> str:
    allowing = [name for name, key in subject.kind.keys.items() if key.role == "allow"]
    if not allowing:
        return "Remove it."
    key = subject.kind.keys[allowing[0]]
    if subject.document.get(allowing[0]) is not None and subject.kind.keys[allowing[0]].presets:
        return f"Remove it: only `{allowing[0]}` is read."
    if subject.document.get(allowing[0]) is not None:
        if key.presets:
            return f"Remove it: only `{allowing[0]}` is read."
        return f"Only `{allowing[0]}` is read: remove from it what the agent must not use."
    if key.presets and _fix(subject) is None:
        return f"Its only restriction is `{allowing[0]}`, which does not fit these tools."
    return f"Use `{allowing[0]}` instead."


def _is_widened(subject: Subject) -> bool:
    """Is the effect wider than the intent? Another key that is read may restrict the agent in the same way."""
    from fsagent_lint.agent.widening import bounds_of, wider

    return not subject.effect.loads or bool(wider(subject.effect, subject.harness, bounds_of(subject)))


def _fix(subject: Subject) -> Fix | None:
    from fsagent_lint.rewrite.convert_tools import native_form_fix

    fix = native_form_fix(subject)
    return fix._replace(safety=Safety.UNSAFE) if fix is not None else None
