"""FA101 unknown-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import (
    ALL_AGENTS,
    Action,
    Bad,
    ClassifiedItem,
    Consequence,
    Finding,
    Good,
    Rule,
    Subject,
    Verdict,
)
from fsagent_lint.rules._tool_fixes import missing_names, removal, replacement


class UnknownTool(Rule):
    """A tool entry names a tool that the harness does not have.

    ## Why
    Harnesses drop unknown names without any warning: the agent runs without the tool, or a denial has no effect.
    `allowed-tools: '*'` in a Claude Code command approves nothing.

    ## What to do
    Correct the name. List tools of your own that cannot be seen from the repository under `custom-tools` in the config.

    ## Fix safety
    Unsafe: the nearest name is a guess. Safe for a tool that is only granted together with others, unless it has a
    scope.
    """

    code = "FA101"
    name = "unknown-tool"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.UNKNOWN, Verdict.UNKNOWABLE, Verdict.INNER))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Bash\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Read, mcp__db__query\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Greb⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Grep\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Reed⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\ntools: ['⟦frobnicate⟧']\n---\n"),
        Bad("---\ndescription: d\nallowed-tools: '⟦*⟧'\n---\n", kind="command"),
        Good("---\ndescription: d\ntools: ['read', 'desktop/terminal']\n---\n", harness="copilot"),
        Bad(
            "---\ndescription: d\ntools: ['read', '⟦terminal⟧']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['read', 'execute']\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools:\n  ⟦bsh⟧: false\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools:\n  bash: false\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        unknowable = sum(entry.verdict == Verdict.UNKNOWABLE for entry in subject.items)
        for entry in subject.items:
            if entry.verdict == Verdict.INNER:
                yield self._inner(subject, entry)
            if entry.verdict not in (Verdict.UNKNOWN, Verdict.UNKNOWABLE):
                continue
            if entry.item.name in subject.harness.everything:
                what = f"`{entry.item.name}` does not stand for every tool under `{entry.value.key}`"
                yield self.dropped(subject, entry, what, "Name the tools.")
                continue
            guess = subject.suggest(entry.item.name, sure=entry.verdict == Verdict.UNKNOWABLE)
            is_likely = unknowable > 1 and entry.action is not Action.DENY
            if entry.verdict == Verdict.UNKNOWABLE and (guess is None or is_likely):
                continue  # an MCP server or an extension brings tools with such names
            fix = replacement(subject, entry, (guess,), safe=False) if guess else None
            covered = guess is not None and not missing_names(subject, entry, (guess,))
            what = f"{subject.harness.title} has no tool `{entry.item.name}`"
            known = "" if not subject.harness.takes_custom else ", or list it under `custom-tools` in the config"
            advice = f"Remove it{known}."
            if guess:
                advice = f"Did you mean `{guess}`?" + (" It is already listed." if covered else "")
            item = "" if guess else f"`{entry.item.name}`"
            yield self.dropped(subject, entry, what, advice, fix, item, covered=covered)

    def _inner(self, subject: Subject, entry: ClassifiedItem) -> Finding:
        """A tool that another name grants, or that every agent has."""
        use = entry.name.use if entry.name is not None else ()
        what = f"{subject.harness.title} does not accept the name `{entry.item.name}`"
        advice = f"Write `{use[0]}`." if use else "Remove it: every agent has this tool."
        # The scope of one tool may not apply to the others that the name grants.
        safe = entry.item.scope is None
        fix = replacement(subject, entry, use, safe=safe) if use else removal(subject, entry, safe=True)
        return self.dropped(subject, entry, what, advice, fix)
