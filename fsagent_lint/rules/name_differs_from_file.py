"""FA405 name-differs-from-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Subject


class NameDiffersFromFile(Rule):
    """The name in the frontmatter differs from the name of the file.

    ## Why
    Claude Code and OpenCode identify an agent by its `name`: a search for its file name does not find the agent, and a
    copy for another harness has another name. The agent works, so this rule is off by default.
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
            place = _PLACES[subject.kind.identity]
            message = (
                f"{subject.harness.title} calls this `{name}`, but its {place} is named `{known}`. Rename one of them."
            )
            yield self.finding(entry.value.span, message)


_PLACES = {"name": "file", "folder": "folder"}
