"""FA305 allow-deny-conflict."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, ClassifiedItem, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._tool_fixes import removal


class AllowDenyConflict(Rule):
    """One tool is both allowed and denied.

    ## Why
    The denial wins: the agent runs without the tool.

    ## Fix safety
    Safe: the removed entry has no effect.
    """

    code = "FA305"
    name = "allow-deny-conflict"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Trait.DENIES,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\ndisallowedTools: Bash\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Bash⟧\ndisallowedTools: Bash\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read\ndisallowedTools: Bash\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        denied: dict[str, ClassifiedItem] = {}
        for entry in subject.items:
            # If the harness honours scopes, the rest of the tool is not denied.
            scoped = entry.item.scope is not None and subject.kind.keys[entry.value.key].scopes == "honoured"
            if entry.role == "deny" and not scoped:
                denied.update(dict.fromkeys(subject.harness.natives(entry.item.name), entry))
        if not denied:
            return
        for entry in subject.items:
            natives = subject.harness.natives(entry.item.name)
            if entry.role == "allow" and natives and all(native in denied for native in natives):
                other = denied[natives[0]]
                yield self.finding(
                    entry.item.span,
                    f"`{entry.item.text}` is also denied by `{other.value.key}`, which wins; the agent runs without it. "
                    "Remove one of the two.",
                    fix=removal(subject, entry, safe=True),
                )
