"""FA306 ignored-scope."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import Action, Bad, Consequence, Finding, Good, Rule, Subject, Trait, Verdict


class IgnoredScope(Rule):
    """A tool entry is narrowed to some uses, and the harness ignores that.

    ## Why
    In a Claude Code agent `Bash(git diff:*)` gives the whole shell, and `disallowedTools: Bash(rm *)` takes the whole
    shell away. Copilot and Qwen Code take the entry for a name that they do not know, and Gemini CLI then refuses the
    whole file.

    ## What to do
    Restrict commands where the harness does: `permissions` in Claude Code's settings, `permission` in OpenCode.
    """

    code = "FA306"
    name = "ignored-scope"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.SCOPE,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Agent(reviewer)\n---\n"),
        Good("---\ndescription: d\nallowed-tools: Bash(git diff:*)\n---\n", kind="skill"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Bash(git diff:*)⟧\n---\n"),
        Bad("---\nname: a\ndescription: d\ndisallowedTools: ⟦Bash(rm *)⟧\n---\n"),
        Bad("---\ndescription: d\ntools: ['⟦execute(git)⟧']\n---\n", harness="copilot"),
        Bad("---\nname: a\ndescription: d\ntools: [⟦run_shell_command(git)⟧]\n---\nGo.\n", harness="gemini"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.entries:
            key = subject.kind.keys[entry.written.key]
            if entry.item.scope is None or entry.written.shape in ("map", "permission"):
                continue
            if key.scopes == "honoured" or entry.item.name in key.scoped:
                continue
            known = entry.verdict in (Verdict.KNOWN, Verdict.RENAMED)
            name = entry.item.name
            if key.unknown == "refused" and entry.item.whole is None:
                outcome, consequence = "it refuses the file", Consequence.REFUSED
            elif key.scopes == "dropped":
                outcome, consequence = "the whole entry is dropped", Consequence.NARROWED
            elif not known:
                continue  # the name itself is the finding
            elif entry.action is Action.DENY:
                outcome, consequence = f"`{name}` is taken away altogether", Consequence.NARROWED
            else:
                outcome, consequence = f"the agent gets `{name}` without any limit", Consequence.WIDENED
            yield self.finding(
                entry.item.span,
                f"{subject.harness.title} ignores the scope `{entry.item.scope}` here; {outcome}. "
                "Limit the tool in the settings of the harness, or name it without a scope.",
                consequence=consequence,
            )
