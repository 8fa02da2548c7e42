"""FA201 wrong-tools-shape."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.conversion import own_form
from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Span, Subject


class WrongToolsShape(Rule):
    """The value of a tool key has a shape that the harness does not take.

    ## Why
    OpenCode refuses to start when `tools` is a list or text; Copilot refuses a file in which it is a map; Claude Code
    reads a map as no tools at all; VS Code reads a map as no key at all, which gives the agent everything.

    ## What to do
    Write the entries in a form that the harness takes.

    ## Fix safety
    Safe where it is plain what was meant: the tools that were named, and no others. Unsafe where that is a guess.
    """

    code = "FA201"
    name = "wrong-tools-shape"
    consequence = Consequence.REFUSED
    examples = (
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
            "---\ndescription: d\n⟦tools⟧: {read: true}\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['read']\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        title = subject.harness.title
        for written in subject.written:
            key = subject.kind.keys[written.key]
            if written.shape in key.forms or written.shape == "null":
                continue
            if written.shape == "permission" and "map" in key.forms:
                continue  # the values are wrong, not the shape: invalid-switch says so
            wanted = " or ".join(_NAMES[form] for form in key.forms)
            yield self.finding(
                Span(written.entry.key.start, written.entry.key.end),
                f"`{written.key}` is {_NAMES[written.shape]}, but {title} takes {wanted}; "
                f"{self._outcome(subject, written.key)}. Write {wanted}.",
                consequence=self._consequence(subject),
                fix=own_form(subject),
            )

    def _outcome(self, subject: Subject, key: str) -> str:
        if not subject.effect.loads:
            return f"it refuses the file ({subject.effect.error})"
        if subject.effect.open:
            return f"it reads the file as if `{key}` were not there, and the agent has every tool"
        return "the agent gets no tools at all"

    def _consequence(self, subject: Subject) -> Consequence:
        if not subject.effect.loads:
            return Consequence.REFUSED
        return Consequence.WIDENED if subject.effect.open else Consequence.NARROWED


_NAMES = {
    "list": "a list",
    "csv": "text",
    "map": "a map of `true` and `false`",
    "permission": "a map of `allow`, `ask` and `deny`",
}
