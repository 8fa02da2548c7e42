"""FA311 allowed-tools-not-a-restriction."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Subject

_SDK = "from claude_agent_sdk import ClaudeAgentOptions as Options\n"


class AllowedToolsNotARestriction(Rule):
    """`allowed_tools` is used to restrict the tools, but it only lists those that run without asking.

    ## Why
    `ClaudeAgentOptions(allowed_tools=["Read"], permission_mode="bypassPermissions")` looks like an agent that can only
    read. It has every tool, including the shell. The permission mode decides about tools that are not approved:
    `bypassPermissions` runs all of them, `acceptEdits` lets the agent write files, and every mode lets it read files.

    ## When it is reported
    If no other argument restricts the agent (`tools`, `disallowed_tools`, `can_use_tool`, `hooks`, or a mode that
    refuses what is not approved), and the mode runs something that none of the approved tools can do.

    ## What to do
    List the tools that the agent may use in `tools=[…]`; `tools=[]` removes all built-in tools.
    """

    code = "FA311"
    name = "allowed-tools-not-a-restriction"
    consequence = Consequence.WIDENED
    sorts = frozenset((Sort.CALL,))
    examples = (
        Good(f"{_SDK}Options(tools=['Read'], allowed_tools=['Read'])\n", kind="python"),
        Good(f"{_SDK}Options(allowed_tools=['Read', 'Bash'])\n", kind="python"),
        Good(f"{_SDK}Options(allowed_tools=['Read'], permission_mode='dontAsk')\n", kind="python"),
        Bad(
            f"{_SDK}Options(⟦allowed_tools⟧=['Read'], permission_mode='bypassPermissions')\n",
            kind="python",
        ),
        Bad(f"{_SDK}Options(⟦allowed_tools⟧=[])\n", kind="python"),
        Good(f"{_SDK}Options(allowed_tools=['mcp__calc__add'])\n", kind="python"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.sort is not Sort.CALL:
            return
        from fsagent_lint.agent.python.subject import CallSubject

        assert isinstance(subject, CallSubject)
        if subject.restricts:
            return
        for value in subject.values:
            if subject.kind.keys[value.key].role != "approve" or not subject.is_whole(value):
                continue
            approved = [tool.risk for item in value.items for tool in subject.meaning(item.name).tools]
            gained = subject.unasked(approved)
            if gained:
                yield self.finding(
                    value.entry.key.span,
                    f"`{value.key}` does not restrict the agent, which can still {gained}. "
                    "List the tools that it may use in `tools`.",
                )
