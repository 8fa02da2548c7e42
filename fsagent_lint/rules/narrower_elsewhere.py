"""FA312 narrower-elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.model.tool import Risk
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Group, Rule, Subject, Trait
from fsagent_lint.rules._readings import shortfalls
from fsagent_lint.rules._tool_fixes import listing


class NarrowerElsewhere(Rule):
    """Another harness that reads the same folder grants the agent fewer tools than intended, or none.

    ## Why
    Copilot's command line, its cloud agent and VS Code all load `.github/agents/*.md`, but know different names.
    `tools: ["Read", "Bash"]` grants an agent no tools in VS Code, and `["search/usages"]` none on the command line.

    It is a note if the agent only lacks tools that read files or the web.

    ## What to do
    Use the names that all of them know: `read`, `edit`, `search`, `execute`, `web`, `agent`, `todo`. For a file that is
    intended for only one of them, set `target: vscode` or `target: github-copilot`.
    """

    code = "FA312"
    name = "narrower-elsewhere"
    consequence = Consequence.NARROWED
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good('---\ndescription: d\ntools: ["read", "execute"]\n---\n', harness="copilot"),
        Good('---\ndescription: d\ntarget: github-copilot\ntools: ["Read", "Bash"]\n---\n', harness="copilot"),
        Good('---\ndescription: d\ntools: ["docs/search", "read"]\n---\n', harness="copilot"),
        Good('---\ndescription: d\ntools: ["read", "search/codebase"]\n---\n', harness="copilot"),
        Good('---\ndescription: d\ntools: ["read", "agent", "vscode"]\n---\n', harness="copilot"),
        Good('---\ndescription: d\ntools: ["read", "vscode"]\n---\n', harness="copilot"),
        Bad('---\ndescription: d\n⟦tools⟧: ["Read", "Bash"]\n---\n', harness="copilot"),
        Bad('---\ndescription: d\n⟦tools⟧: ["read", "web/fetch"]\n---\n', harness="copilot"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if not subject.values or not subject.effect.loads:
            return
        for short in shortfalls(subject):
            key = subject.values[0].entry.key
            lacking = listing([str(tool) for tool in short.missing])
            what = "grants the agent no tools" if short.has_none else f"does not grant {lacking}"
            known_as = f"{short.harness.title}'s name{'s' if len(short.names) > 1 else ''}"
            whose = lacking if short.has_none else "it" if len(short.missing) == 1 else "them"
            todo = f"Add {listing(short.names)}, {known_as} for {whose}."
            message = f"{short.harness.title} also reads this file, but {what}. {todo}"
            does_work = any(tool.risk in _OF_WORK for tool in short.missing)
            consequence = Consequence.IGNORED if does_work else Consequence.STYLE
            if short.has_none:
                consequence = Consequence.NARROWED
            group = Group(f"{short.harness.title} {what}", across_files=True)
            yield self.finding(key.span, message, consequence=consequence, group=group)


_OF_WORK = (Risk.WRITE, Risk.EXECUTE, Risk.DELEGATE)
"""An agent that cannot read the web, or some of the files, still does its work."""
