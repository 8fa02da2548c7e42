"""FA103 foreign-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import advice, group_item, missing_names, replacement


class ForeignTool(Rule):
    """A tool entry uses another harness's name for a tool.

    ## Why
    A harness only knows its native names, and drops other names without any warning.

    ## Fix safety
    Safe where the name stands for a single tool that the harness has. Unsafe where it stands for several, since all of
    them together may be more than intended, and where the key approves the tool.
    """

    code = "FA103"
    name = "foreign-tool"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.FOREIGN,))
    examples = (
        Good("---\ndescription: d\ntools: ['search', 'edit']\n---\n", harness="copilot"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦execute⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Bash\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools:\n  - Read\n  - ⟦list⟧ # look around\n---\n",
            fixed="---\nname: a\ndescription: d\ntools:\n  - Read\n  - Glob # look around\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Create⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Write\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦save_memory⟧\n---\n"),
        Good("---\ndescription: d\ntools: ['read', 'vscode/memory']\n---\n", harness="copilot"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Shell⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Bash\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        title = subject.harness.title
        # In VS Code, extensions and MCP servers bring tools that nobody here knows; they have names such as these.
        is_loose = subject.harness.open_names and any(entry.verdict == Verdict.UNKNOWABLE for entry in subject.items)
        for entry in subject.items:
            if entry.verdict != Verdict.FOREIGN:
                continue
            names = native_names(entry.meaning.tools, subject.harness)
            owner = get_harness(entry.meaning.harness)
            what = f"`{entry.meaning.spelling}` is a tool of {owner.title}, not of {title}"
            if owner.neutral:
                what = f"{title} has no tool `{entry.item.name}`"
            what_to_do = advice(subject, entry, names) if names else f"Remove it: {title} has no equivalent."
            safe = len(entry.meaning.tools) == 1 and not is_loose
            fix = replacement(subject, entry, names, safe=safe) if names else None
            item, covered = group_item(entry, what_to_do), bool(names) and not missing_names(subject, entry, names)
            found = self.dropped(subject, entry, what, what_to_do, fix, item, covered=covered)
            # A skill that lies in no harness's folder may be written for the other harness, too.
            is_guess = subject.context.assumed and entry.role == "approve"
            yield found._replace(consequence=Consequence.UNCERTAIN) if is_loose or is_guess else found
