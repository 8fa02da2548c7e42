"""FA311 allowed-tools-not-a-restriction."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Subject

_SDK = "from claude_agent_sdk import ClaudeAgentOptions as Options\n"


class AllowedToolsNotARestriction(Rule):
    """`allowed_tools` is used as if it said which tools there are; it only says which ones run without asking.

    ## Why
    `ClaudeAgentOptions(allowed_tools=["Read"], permission_mode="bypassPermissions")` looks like an agent that can read
    and nothing else. It has every tool, the shell included. What is not approved is left to the mode:
    `bypassPermissions` lets everything run, `acceptEdits` lets files be written, and every mode lets files be read.

    ## When it speaks
    Where no other argument restricts (`tools`, `disallowed_tools`, `can_use_tool`, `hooks`, a mode that refuses what is
    not approved), and the mode lets something run that is more than any of the approved tools can do.

    ## What to do
    Say which tools there are by `tools=[…]`; `tools=[]` leaves none of those that are built in.
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
                    f"`{value.key}` takes no tool away; the agent can {gained} all the same. "
                    "Write `tools` to say which tools there are.",
                )
