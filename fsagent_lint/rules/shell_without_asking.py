"""FA703 shell-without-asking."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.semantics import SEMANTICS
from fsagent_lint.rules import Action, Bad, Consequence, Finding, Good, Rule, Subject
from fsagent_lint.rules._privilege import SHELL, is_unlimited, natives, shell_entry, whole_shell


class ShellWithoutAsking(Rule):
    """A file lets every shell command run without asking.

    ## Why
    `allowed-tools: Bash` in a Claude Code command or skill restricts nothing: it approves every command while the prompt
    is followed, where Claude Code would have asked. In OpenCode, `bash: allow` of an agent overrides a project's config
    that asks.

    ## When it is reported
    For an approval of the whole shell; `Bash(git diff:*)` approves some commands, and is not reported. For an agent that
    is allowed a shell that the project's config asks for.

    ## What to do
    Approve the commands that the prompt needs: `allowed-tools: Bash(git diff:*), Bash(git log:*)`.
    """

    code = "FA703"
    name = "shell-without-asking"
    consequence = Consequence.WIDENED
    opt_in = True
    examples = (
        Good("---\ndescription: d\nallowed-tools: Read, Bash(git diff:*)\n---\nGo.\n", kind="command"),
        Bad("---\ndescription: d\nallowed-tools: Read, ⟦Bash⟧\n---\nGo.\n", kind="command"),
        Bad("---\ndescription: d\nallowed-tools: ⟦Bash(*)⟧\n---\nGo.\n", kind="command"),
        Bad(
            "---\nname: a\ndescription: d\nallowed-tools: [⟦Bash⟧]\n---\nGo.\n",
            kind="skill",
            path=".claude/skills/a/SKILL.md",
        ),
        Good("---\ndescription: d\npermission: {bash: allow}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\npermission: {⟦bash⟧: allow}\n---\n",
            harness="opencode",
            files=(("opencode.json", '{"permission": {"bash": "ask"}}'),),
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        title = subject.harness.title
        if not subject.effect.loads:
            return
        for entry in subject.items:
            if entry.role == "approve" and entry.action is Action.ALLOW and SHELL in entry.meaning.tools:
                if is_unlimited(entry):
                    message = (
                        f"{title} runs every shell command without asking while it follows this {subject.kind_name}. "
                        f"Approve only the commands that it needs: `{entry.item.name}(git diff:*)`."
                    )
                    yield self.finding(entry.item.span, message)
        if subject.values and whole_shell(subject) and _is_asked(subject):
            message = (
                f"The project's config makes {title} ask before a shell command runs; for this agent every command runs "
                "without asking. Leave the shell out here, or allow only the commands that it needs."
            )
            yield self.finding(shell_entry(subject), message)


def _is_asked(subject: Subject) -> bool:
    """Does the project's config ask before the shell runs?"""
    shared = subject.surroundings_in(subject.harness)
    if not shared.shared:
        return False
    found = SEMANTICS[subject.harness.semantics](
        {}, subject.harness, subject.kind, "", shared._replace(over=(), under=())
    )
    return not isinstance(found, Refusal) and any(name in found.ask for name in natives(subject, SHELL))
