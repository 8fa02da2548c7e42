"""FA201 wrong-tools-shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.agent.tool_values import SWITCHES, Misfit, ToolValue
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.nodes import Scalar
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.rules import (
    ALL_AGENTS,
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Sort,
    Subject,
    Trait,
)
from fsagent_lint.rules._readings import misread


class WrongToolsShape(Rule):
    """The value of a tool key has a type that the harness does not accept.

    ## Why
    OpenCode refuses to start if `tools` is a list or text; Copilot refuses a file in which it is a map; Claude Code
    reads a map as no tools; VS Code ignores a map, so that the agent has every tool.

    ## What to do
    Write the entries in a form that the harness accepts.

    ## Fix safety
    Safe where the result grants the tools that are listed, and no others. Unsafe where the intent is a guess, where a
    map of denials that the harness read as no tools, or refused, becomes a list of denials that grants everything else,
    and where a map becomes approvals.
    """

    code = "FA201"
    name = "wrong-tools-shape"
    consequence = Consequence.REFUSED
    sorts = ALL_AGENTS
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good("---\ndescription: d\ntools: Azure MCP/documentation\n---\n", harness="copilot"),
        Good("---\nname: a\ndescription: d\ntools: [Read, Grep]\n---\n"),
        Good("---\ndescription: d\ntools: {bash: false}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\n⟦tools⟧: Read, Grep\n---\n",
            harness="opencode",
            fixed='---\ndescription: d\npermission:\n  "*": deny\n  read: allow\n  grep: allow\n---\n',
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦tools⟧:\n  bash: false # never\n---\n",
            fixed="---\nname: a\ndescription: d\ndisallowedTools:\n  - Bash # never\n---\n",
        ),
        Bad(
            "---\ndescription: d\n⟦tools⟧: read grep\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: read, grep\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦allowed-tools⟧: [Read, 'Bash(git commit:*)', Bash(jq:*)]\n---\n",
            harness="agent-skills",
            kind="skill",
            path=".agents/skills/a/SKILL.md",
            fixed="---\nname: a\ndescription: d\nallowed-tools: Read Bash(git commit:*) Bash(jq:*)\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦readonly⟧: 'true' # no edits\n---\n",
            harness="cursor",
            fixed="---\nname: a\ndescription: d\nreadonly: true # no edits\n---\n",
        ),
        Bad("---\ndescription: d\n⟦tools⟧: [read, [grep]]\n---\n", harness="copilot"),
        Good("---\ndescription: d\npermission: deny\n---\n", harness="opencode"),
        Bad("---\ndescription: d\n⟦permission⟧: [deny]\n---\n", harness="opencode"),
        Bad('---\ndescription: d\n⟦tools⟧: read," web, search\n---\n', harness="vscode"),
        Bad(
            "---\ndescription: d\n⟦tools⟧: {read: true}\n---\n",
            harness="copilot",
            fixed='---\ndescription: d\ntools: ["read"]\n---\n',
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for tool_value in subject.values:
            key = subject.kind.keys[tool_value.key]
            if tool_value.shape == "null" or (tool_value.shape in _MAPS and not _MAPS.isdisjoint(key.forms)):
                continue  # tool-key-without-value and invalid-tool-value report these
            if tool_value.shape not in key.forms:
                yield self._wrong_shape(subject, tool_value, key)
            elif (
                tool_value.items
                and key.role not in ("switch", "permission")
                and (read := misread(subject, tool_value, key)) is not None
            ):
                yield self._misread(subject, tool_value, read)

    def _wrong_shape(self, subject: Subject, tool_value: ToolValue, key: Key) -> Finding:
        expected = " or ".join(_describe_form(form, key) for form in key.forms)
        found = "comma-separated text" if (tool_value.shape, key.forms[0]) == _SEPARATED else _NAMES[tool_value.shape]
        misfit = self._misfit(subject, tool_value, key)
        return self.finding(
            tool_value.entry.key.span,
            f"`{tool_value.key}` is {found}, but {misfit.title} expects {expected}; {misfit.outcome}.",
            consequence=misfit.consequence,
            fix=misfit.fix,
        )

    def _misfit(self, subject: Subject, tool_value: ToolValue, key: Key) -> Misfit:
        if subject.sort is Sort.CALL:
            from fsagent_lint.agent.python.subject import CallSubject

            assert isinstance(subject, CallSubject)
            return subject.misfit(tool_value)
        from fsagent_lint.rewrite.convert_tools import native_form_fix

        outcome, consequence = self._outcome(subject, tool_value.key), self._consequence(subject, key)
        has_action = any(item.name.lower() in SWITCHES for item in tool_value.items)  # it is no tool
        fix = native_form_fix(subject) if not has_action else None
        return Misfit(subject.harness.title, outcome, consequence, fix)

    def _misread(self, subject: Subject, tool_value: ToolValue, read: Sequence[str]) -> Finding:
        """The shape is right, but the harness does not read the names as a person does."""
        if not subject.effect.loads and subject.effect.key == tool_value.key:
            error = subject.effect.error.removeprefix(f"`{tool_value.key}`: ")
            what, consequence = f"refuses the file: {error}", Consequence.REFUSED
        else:
            shown = (
                "the whole value as one name" if len(read) == 1 and len(read[0].split()) > 1 else _describe_names(read)
            )
            what, consequence = f"reads {shown}", Consequence.NARROWED
        value = tool_value.entry.value
        fix = None
        if isinstance(value, Scalar) and tool_value.items:
            from fsagent_lint.frontmatter.quoting import quote

            names = ", ".join(item.text for item in tool_value.items)
            edit = Edit(value.span, quote(names))
            if _helps(subject, edit, tool_value.key):
                fix = Fix("Separate the names by commas", (edit,), Safety.SAFE, frozenset((tool_value.key,)))
        option = subject.kind.keys[tool_value.key].option
        advice = (
            f"Write each name on its own line, or as `[name, {{{option}: …}}]`"
            if option
            else "Separate the names by commas"
        )
        message = f"`{tool_value.key}`: {subject.harness.title} {what}. {advice}."
        return self.finding(tool_value.entry.key.span, message, consequence=consequence, fix=fix)

    def _outcome(self, subject: Subject, key: str) -> str:
        if subject.kind.keys[key].role == "approve":
            return "the tools may not be approved"
        if not subject.effect.loads:
            return "it refuses the file"
        if subject.effect.open:
            return f"it ignores `{key}`, so the agent has every tool"
        return "the agent has no tools"

    def _consequence(self, subject: Subject, key: Key) -> Consequence:
        if key.role == "approve":
            return Consequence.UNCERTAIN if subject.harness.standard else Consequence.IGNORED
        if not subject.effect.loads:
            return Consequence.REFUSED
        return Consequence.WIDENED if subject.effect.open else Consequence.NARROWED


_SEPARATED = ("csv", "space-separated")
_MAPS = frozenset(("map", "permission"))


def _helps(subject: Subject, edit: Edit, key: str) -> bool:
    """Does the edit make the harness read the names as a person does? Not if a name contains a quote or a bracket."""
    edited = subject.like(subject.harness, document=subject.document.edited([edit]))
    return all(misread(edited, each, edited.kind.keys[key]) is None for each in edited.values if each.key == key)


def _describe_form(form: str, key: Key) -> str:
    return " or ".join(f"`{value}`" for value in key.presets) if form == FORM else _NAMES[form]


_NAMES = {
    "list": "a list",
    "csv": "text",
    "space-separated": "space-separated text",
    "tuple": "a tuple",
    "set": "a set",
    "map": "a map of `true` and `false`",
    "permission": "a map of `allow`, `ask` and `deny`",
    "rules": "a list of rules",
}


def _describe_names(names: Sequence[str]) -> str:
    return f"only {', '.join(f'`{name}`' for name in names)}" if names else "no name from it"
