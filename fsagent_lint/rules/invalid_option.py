"""FA208 invalid-option."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.tool_values import ToolItem
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Scalar
from fsagent_lint.frontmatter.values import core
from fsagent_lint.rules import (
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Subject,
    Trait,
)


class InvalidOption(Rule):
    r"""The options of a tool entry are not valid.

    ## Why
    In Roo Code `[edit, {fileRegex: \.md$}]` lets a mode edit only markdown files. If the value is not a valid
    JavaScript regular expression, such as `*.md`, the file does not load, with every mode in it. Roo Code ignores
    unknown options: `fileregex` limits nothing.

    ## What to do
    Write a regular expression: `\.md$` for files that end in `.md`, `^docs/` for files in `docs`.

    ## Fix safety
    Safe: an option that is intended to limit a tool takes effect.
    """

    code = "FA208"
    name = "invalid-option"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good(
            "customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [[edit, {fileRegex: '\\.md$'}]]}\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
        ),
        Bad(
            "customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [[edit, {fileRegex: ⟦'*.md'⟧}]]}\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
        ),
        Bad(
            "customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [[edit, {fileRegex: ⟦1⟧}]]}\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
        ),
        Bad(
            "customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [[edit, {⟦fileregex⟧: x}]]}\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
            fixed="customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [[edit, {fileRegex: x}]]}\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.values:
            key = subject.kind.keys[value.key]
            for item in value.items if key.option else ():
                yield from self._check(subject, item, key.option)

    def _check(self, subject: Subject, item: ToolItem, option: str) -> Iterator[Finding]:
        from fsagent_lint.effect.js_regex import regex_problem

        pair = item.whole.items if isinstance(item.whole, List) else []
        options = pair[1] if len(pair) == 2 else None
        for entry in options.entries if isinstance(options, Map) else ():
            if entry.name not in (option, "description"):
                yield self._unread(subject, entry, item, option)
                continue
            value = entry.value
            is_text = isinstance(value, Scalar) and (not value.plain or isinstance(core(value.value), str))
            reason = "must be text" if not is_text else ""
            if isinstance(value, Scalar) and is_text and entry.name == option and (wrong := regex_problem(value.value)):
                reason = f"is not a valid regular expression: {wrong}"
            if reason:
                node = value if value.end > value.start else entry.key
                message = f"`{entry.name}` {reason}; {subject.refuses}."
                yield self.finding(node.span, message)

    def _unread(self, subject: Subject, entry: Entry, item: ToolItem, option: str) -> Finding:
        from fsagent_lint.suggest import nearest

        span = entry.key.span
        is_typo = nearest(entry.name or "", [option]) is not None and not entry.key.marked
        keys = frozenset(value.key for value in subject.values if item in value.items)
        fix = Fix(f"Rename to `{option}`", (Edit(span, option),), Safety.SAFE, keys) if is_typo else None
        what = f"{subject.harness.title} has no option `{entry.name}`, so `{item.name}` is not limited"
        advice = f"Write `{option}`." if is_typo else "Remove it."
        return self.finding(span, f"{what}. {advice}", consequence=Consequence.WIDENED, fix=fix)
