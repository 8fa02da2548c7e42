"""FA106 duplicate-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.tool_values import WITH_ACTIONS
from fsagent_lint.rules import ALL_AGENTS, Bad, ClassifiedItem, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._tool_fixes import removal


class DuplicateTool(Rule):
    """A tool is listed twice under the same key.

    ## Why
    The second entry has no effect, and some harnesses refuse the file.

    ## Fix safety
    Safe: the second entry adds nothing.
    """

    code = "FA106"
    name = "duplicate-tool"
    consequence = Consequence.STYLE
    tag = "unnecessary"
    sorts = ALL_AGENTS
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Grep\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Agent(a), Agent(b)\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Azure MCP/documentation, Azure MCP/list\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, Grep, ⟦Read⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Grep\n---\n",
        ),
        Bad(
            "customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [read, ⟦read⟧]}\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
            fixed="customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [read]}\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        seen: dict[tuple[str, str], ClassifiedItem] = {}
        for entry in subject.items:
            if entry.value.shape in WITH_ACTIONS:
                continue
            key = (entry.value.key, subject.harness.fold(entry.item.text))
            if key not in seen:
                seen[key] = entry
                continue
            refused = subject.kind.keys[entry.value.key].twice == "refused"
            outcome = f"; {subject.refuses}" if refused else ""
            same_scope = seen[key].item.scope == entry.item.scope
            yield self.finding(
                entry.item.span,
                f"`{entry.item.text}` is already listed{outcome}. Remove it.",
                consequence=Consequence.REFUSED if refused else None,
                fix=removal(subject, entry, safe=True) if same_scope else None,
            )
