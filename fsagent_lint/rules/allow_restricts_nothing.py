"""FA301 allow-restricts-nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.nodes import Map
from fsagent_lint.model.tool import Risk
from fsagent_lint.rules import (
    Action,
    Bad,
    Consequence,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Subject,
    Trait,
)

_POWERS = frozenset((Risk.EXECUTE, Risk.WRITE))
"""An agent that may run commands and write files can do what any other tool does."""


class AllowRestrictsNothing(Rule):
    """A tool map only enables tools, so it disables none.

    ## Why
    OpenCode allows every tool that is not denied: `tools: {read: true, grep: true}` leaves the agent its shell and its
    editor. Two in three public maps are written like this.

    It is a note where the map names the shell and an editor: every other tool adds little to these.

    ## What to do
    Put `"*": false` first to allow only the listed tools. If every tool is intended, remove the map: it has no effect.

    ## Fix safety
    Unsafe: it removes tools that the agent has had so far.
    """

    code = "FA301"
    name = "allow-restricts-nothing"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.SWITCHES,))
    examples = (
        Good("---\ndescription: d\ntools:\n  '*': false\n  read: true\n---\n", harness="opencode"),
        Good("---\ndescription: d\ntools: {bash: false, read: true}\n---\n", harness="opencode"),
        Good("---\ndescription: d\ntools: {bash: true}\npermission: {edit: deny}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\n⟦tools⟧:\n  read: true\n  grep: true\n---\n",
            harness="opencode",
            fixed='---\ndescription: d\ntools:\n  "*": false\n  read: true\n  grep: true\n---\n',
        ),
        Good(
            '{"agent": {"build": {"tools": {"read": true}}}}\n', harness="opencode", kind="config", path="opencode.json"
        ),
        Bad(
            '{"agent": {"a": {\n  ⟦"tools"⟧: {\n    "read": true\n  }\n}}}\n',
            harness="opencode",
            kind="config",
            path="opencode.json",
            fixed='{"agent": {"a": {\n  "tools": {\n    "*": false,\n    "read": true\n  }\n}}}\n',
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if not (subject.effect.loads and subject.effect.open) or subject.intent.policy.default is Action.ALLOW:
            return
        listed = {name for name, tool in subject.harness.tools.items() if tool.presence == "listed"}
        for value in subject.values:
            items = value.items
            if subject.kind.keys[value.key].role != "switch" or not isinstance(value.entry.value, Map) or not items:
                continue
            if any(item.action is not Action.ALLOW or item.name == "*" for item in items):
                continue
            if all(item.name in listed for item in items):
                continue  # these tools are off by default, so naming them has an effect
            from fsagent_lint.frontmatter.edits import insert_first

            named = {tool.risk for item in items for tool in subject.meaning(item.name).tools}
            edits = (insert_first(subject.document.source.text, value.entry.value, '"*": false'),)
            yield self.finding(
                value.entry.key.span,
                f"`{value.key}` only enables tools, so {subject.harness.title} disables none; the agent has every tool. "
                'Put `"*": false` first to allow only these.',
                consequence=Consequence.STYLE if named >= _POWERS else None,
                fix=Fix('Put `"*": false` first', edits, Safety.UNSAFE, frozenset((value.key,))),
            )
