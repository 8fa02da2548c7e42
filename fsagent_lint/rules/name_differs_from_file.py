"""FA405 name-differs-from-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Subject


class NameDiffersFromFile(Rule):
    """The name in the frontmatter is not the name of the file.

    ## Why
    Claude Code and OpenCode know an agent by its `name`; whoever looks for it by the name of its file does not find it,
    and a copy for another harness gets another name. It works, so this rule is off unless it is selected.
    """

    code = "FA405"
    name = "name-differs-from-file"
    consequence = Consequence.STYLE
    sorts = MARKDOWN_FILES
    opt_in = True
    examples = (
        Good("---\nname: reviewer\ndescription: d\n---\n", path=".claude/agents/reviewer.md"),
        Bad("---\nname: ⟦auditor⟧\ndescription: d\n---\n", path=".claude/agents/reviewer.md"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        entry = subject.document.get("name")
        field = subject.kind.fields.get("name")
        if entry is None or subject.kind.identity == "file" or (field is not None and field.is_identity):
            return
        name, known = subject.document.text_of("name"), subject.file_identity
        if name and known and name != known:
            message = f"{subject.harness.title} knows this as `{name}`, but its {_PLACES[subject.kind.identity]} is `{known}`."
            yield self.finding(entry.value.span, message)


_PLACES = {"name": "file", "folder": "folder"}
