"""FA702 shell-network-and-write."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.model.tool import Risk
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject
from fsagent_lint.rules._privilege import FILES, is_restricted_agent, natives, of_risk, shell_entry, whole_shell


class ShellNetworkAndWrite(Rule):
    """An agent can run any command, read the web and write files, all without asking.

    ## Why
    A page that the agent reads can tell it what to do: with a shell and the right to write, it can send the project's
    secrets away or change its code. Without one of the three it cannot.

    ## When it is reported
    For agents whose tools are restricted; those that have every tool are reported by `every-tool`. Only what the harness
    grants without asking counts.

    ## What to do
    Leave out one of the three, let the harness ask before the shell runs, or give the web to an agent of its own.
    """

    code = "FA702"
    name = "shell-network-and-write"
    consequence = Consequence.WIDENED
    opt_in = True
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Edit, Bash\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Read, WebFetch, Bash\n---\n"),
        Good("---\nname: a\ndescription: d\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Read, Write, WebFetch, ⟦Bash⟧\n---\n"),
        Bad("---\ndescription: d\n⟦permission⟧: {task: deny}\n---\n", harness="opencode"),
        Good("---\ndescription: d\npermission: {task: deny, bash: ask}\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if not is_restricted_agent(subject):
            return
        shells, network = whole_shell(subject), of_risk(subject, Risk.NETWORK)
        writers = [name for tool in FILES for name in natives(subject, tool)]
        if shells and network and writers:
            names = ", ".join(f"`{name}`" for name in (shells[0], network[0], min(writers)))
            message = (
                f"{subject.harness.title} lets the agent run any command, read the web and write files without asking "
                f"({names}): a page that it reads can make it change or publish the project. Remove one of the three."
            )
            yield self.finding(shell_entry(subject), message)
