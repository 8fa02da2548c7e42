"""FA701 shell-can-write."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject
from fsagent_lint.rules._privilege import FILES, is_restricted_agent, limit_advice, natives, shell_entry, whole_shell


class ShellCanWrite(Rule):
    """An agent without tools that write files has a shell, which can write them.

    ## Why
    A reviewer with `tools: Read, Grep, Bash` looks as if it could only read. `echo x > file`, `sed -i` and `git checkout`
    change files, and nothing asks in between where the shell is allowed.

    ## When it is reported
    Where the harness lets the agent run any command without asking. A shell that is limited to some commands is not
    reported where the harness honours the limit, as OpenCode does in `permission`. In a Claude Code agent
    `Bash(git diff:*)` is the whole shell.

    ## What to do
    Remove the shell, allow only the commands that the agent needs, or give it the tools that write, if it is to write.
    """

    code = "FA701"
    name = "shell-can-write"
    consequence = Consequence.WIDENED
    opt_in = True
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Grep\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Read, Edit, Bash\n---\n"),
        Good("---\nname: a\ndescription: d\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Read, Grep, ⟦Bash⟧\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦disallowedTools⟧: Write, Edit, NotebookEdit\n---\n"),
        Bad("---\ndescription: d\ntools: [read, search, ⟦execute⟧]\n---\n", harness="copilot"),
        Good(
            "---\ndescription: d\npermission: {edit: deny, bash: {'*': deny, 'git diff *': allow}}\n---\n",
            harness="opencode",
        ),
        Good("---\ndescription: d\npermission: {edit: deny, bash: ask}\n---\n", harness="opencode"),
        Bad("---\ndescription: d\n⟦permission⟧: {edit: deny}\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if not is_restricted_agent(subject) or any(natives(subject, tool, asked=True) for tool in FILES):
            return
        if shells := whole_shell(subject):
            message = (
                f"The agent has no tool to write files, but {subject.harness.title} grants it the whole shell "
                f"(`{shells[0]}`), which can write them. {limit_advice(subject)}"
            )
            yield self.finding(shell_entry(subject), message)
