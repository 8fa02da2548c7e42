"""FA201 wrong-tools-shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.agent.tool_values import Misfit, ToolValue
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.frontmatter.nodes import Scalar
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.rules import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Sort, Subject, Trait
from fsagent_lint.rules._readings import misread
from fsagent_lint.rules._rule import ALL_AGENTS


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
    sorts = ALL_AGENTS
    about = frozenset((Trait.TOOLS,))
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
        Bad('---\ndescription: d\n⟦tools⟧: read," web, search\n---\n', harness="vscode"),
        Bad(
            "---\ndescription: d\n⟦tools⟧: {read: true}\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['read']\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for written in subject.values:
            key = subject.kind.keys[written.key]
            if written.shape == "null" or (written.shape == "permission" and "map" in key.forms):
                continue  # null-tools and invalid-switch speak of these
            if written.shape not in key.forms:
                yield self._wrong_shape(subject, written, key)
            elif (
                written.items
                and key.role not in ("switch", "permission")
                and (read := misread(subject, written, key)) is not None
            ):
                yield self._misread(subject, written, read)

    def _wrong_shape(self, subject: Subject, written: ToolValue, key: Key) -> Finding:
        wanted = " or ".join(_in_words(form, key) for form in key.forms)
        misfit = self._misfit(subject, written, key)
        return self.finding(
            written.entry.key.span,
            f"`{written.key}` is {_NAMES[written.shape]}, but {misfit.title} takes {wanted}; {misfit.outcome}.",
            consequence=misfit.consequence,
            fix=misfit.fix,
        )

    def _misfit(self, subject: Subject, written: ToolValue, key: Key) -> Misfit:
        if subject.sort is Sort.CALL:
            from fsagent_lint.agent.python.subject import CallSubject

            assert isinstance(subject, CallSubject)
            return subject.misfit(written)
        from fsagent_lint.rewrite.convert_tools import own_form

        outcome, consequence = self._outcome(subject, written.key), self._consequence(subject, key)
        return Misfit(subject.harness.title, outcome, consequence, own_form(subject))

    def _misread(self, subject: Subject, written: ToolValue, read: Sequence[str]) -> Finding:
        """The shape is right, but what is in it is not read as it looks."""
        if not subject.effect.loads and subject.effect.key == written.key:
            error = subject.effect.error.removeprefix(f"`{written.key}`: ")
            what, consequence = f"refuses the file: {error}", Consequence.REFUSED
        else:
            shown = "all of it as one name" if len(read) == 1 and len(read[0].split()) > 1 else _listed(read)
            what, consequence = f"reads {shown}", Consequence.NARROWED
        value = written.entry.value
        fix = None
        if isinstance(value, Scalar) and written.items:
            from fsagent_lint.frontmatter.quoting import quote

            names = ", ".join(item.text for item in written.items)
            edit = Edit(value.span, quote(names))
            if _helps(subject, edit, written.key):
                fix = Fix("Separate the names by commas", (edit,), Safety.SAFE, frozenset((written.key,)))
        option = subject.kind.keys[written.key].option
        advice = (
            f"on a line of its own, or as `[name, {{{option}: …}}]`" if option else "on its own, separated by commas"
        )
        message = f"`{written.key}`: {subject.harness.title} {what}. Write each name {advice}."
        return self.finding(written.entry.key.span, message, consequence=consequence, fix=fix)

    def _outcome(self, subject: Subject, key: str) -> str:
        if subject.kind.keys[key].role == "approve":
            return "the tools may not be approved"
        if not subject.effect.loads:
            return "it refuses the file"
        if subject.effect.open:
            return f"it reads the file as if `{key}` were not there, and the agent has every tool"
        return "the agent gets no tools at all"

    def _consequence(self, subject: Subject, key: Key) -> Consequence:
        if key.role == "approve":
            return Consequence.IGNORED
        if not subject.effect.loads:
            return Consequence.REFUSED
        return Consequence.WIDENED if subject.effect.open else Consequence.NARROWED


def _helps(subject: Subject, edit: Edit, key: str) -> bool:
    """Is the value read as it looks once the edit is made? Not where a name has a quote or a bracket of its own."""
    source = subject.document.source
    document = Document(Source(source.path, source.to_bytes(apply_edits(source.text, [edit]))))
    there = subject.like(subject.harness, document=document)
    return all(misread(there, each, there.kind.keys[key]) is None for each in there.values if each.key == key)


def _in_words(form: str, key: Key) -> str:
    return " or ".join(f"`{value}`" for value in key.presets) if form == FORM else _NAMES[form]


_NAMES = {
    "list": "a list",
    "csv": "text",
    "words": "text with blanks between the names",
    "tuple": "a tuple",
    "set": "a set",
    "map": "a map of `true` and `false`",
    "permission": "a map of `allow`, `ask` and `deny`",
}


def _listed(names: Sequence[str]) -> str:
    return f"only {', '.join(f'`{name}`' for name in names)} in it" if names else "nothing in it"
