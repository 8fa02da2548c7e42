"""FA416 unreplaced-placeholder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from fsagent_lint.effect.prompt import is_in_code, outside_fences
from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait
from fsagent_lint.rules._prompts import prompt_of

_COMMAND = re.compile(r"(?<=[=:(\"'\[>*|,;-])!`(?=[\w./$~\"'({\[])[^`\r\n]{1,500}`")


@cache
def argument(name: str) -> re.Pattern[str]:
    """A placeholder at the end of its line, where a text would be expected."""
    return re.compile(rf"(?:^|: ?|\*\* ?|> ?)({re.escape(name)})[ \t]*\r?$", re.MULTILINE)


class UnreplacedPlaceholder(Rule):
    """A placeholder or a command in a prompt stays as text.

    ## Why
    Claude Code runs `` !`git diff` `` in commands and skills only at the start of a line or after a blank: in
    `` Branch:!`git branch` `` the model reads the text of the command. Neither Claude Code nor OpenCode replaces
    `$ARGUMENTS` in an agent's prompt; an agent reads its task as the first message.

    ## What to do
    Write a blank before the command. In an agent, leave `$ARGUMENTS` out, or make the file a command.
    """

    code = "FA416"
    name = "unreplaced-placeholder"
    consequence = Consequence.IGNORED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.PLACEHOLDERS,))
    examples = (
        Good("---\ndescription: d\n---\nBranch: !`git branch`, and X=1!`x`\n", kind="command"),
        Bad("---\ndescription: d\n---\nBranch:⟦!`git branch`⟧\n", kind="command"),
        Good("---\ndescription: d\n---\nBranch:!`git branch`\n", harness="opencode", kind="command"),
        Good("---\nname: a\ndescription: d\n---\nCommands use $ARGUMENTS, `$ARGUMENTS`.\n"),
        Bad("---\nname: a\ndescription: d\n---\nYour task: ⟦$ARGUMENTS⟧\n"),
        Good("---\nname: a\ndescription: d\n---\n```md\nDo: $ARGUMENTS\n```\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        text, offset = prompt_of(subject)
        title = subject.harness.title
        if subject.kind.notation.command_apart:
            for found in _COMMAND.finditer(text):
                if not is_in_code(text, found.start()):
                    message = (
                        f"{title} runs a command only at the start of a line or after a blank; this one stays as text. "
                        "Write a blank before it."
                    )
                    yield self.finding(Span(offset + found.start(), offset + found.end()), message)
        elif subject.kind_name == "agent":
            yield from self._arguments(subject, text, offset)

    def _arguments(self, subject: Subject, text: str, offset: int) -> Iterator[Finding]:
        command = subject.harness.kinds.get("command")
        names = command.notation.arguments if command is not None else ()
        for name in names:
            for part in outside_fences(text):
                for found in argument(name).finditer(text, *part):
                    message = (
                        f"{subject.harness.title} replaces `{name}` in commands, not in agents; it stays as text. "
                        "Leave it out: an agent is given its task as a message."
                    )
                    yield self.finding(Span(offset + found.start(1), offset + found.end(1)), message)
                    return
