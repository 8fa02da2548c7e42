"""FA010 invalid-agents-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import LIST_FILES, Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject


class InvalidAgentsFile(Rule):
    """A file that holds several agents is not valid YAML, or not a list of agents.

    ## Why
    Roo Code keeps the modes of a project in one file. If the file is not valid YAML, or one entry of its list is not a
    mode, none of the modes is loaded. If the list itself is missing, Roo Code reports nothing.

    ## What to do
    Correct the YAML. The most common mistake is an unquoted colon or quote in a text: write the text as a block, `|-`
    with the text indented below it.
    """

    code = "FA010"
    name = "invalid-agents-file"
    consequence = Consequence.REFUSED
    sorts = LIST_FILES
    examples = (
        Good("customModes: []\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("customModes:\n  - slug: a\n    name: A⟦:⟧ b\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("⟦customModes⟧: {a: b}\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("customModes:\n  - ⟦code⟧\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("⟦⟧modes: []\n", harness="roo", kind="mode", path=".roomodes"),
        Bad('customModes:\n  - slug: "so ⟦“⟧called”"\n', harness="roo", kind="mode", path=".roomodes"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.sort is not Sort.LIST:
            return
        from fsagent_lint.agent.lists.subject import ListSubject

        assert isinstance(subject, ListSubject)
        title, error = subject.harness.title, subject.document.error
        if error is not None:
            text = subject.document.source.text
            end = error.offset + (0 if text[error.offset : error.offset + 1] in ("", "\r", "\n") else 1)
            from fsagent_lint.rules.invalid_frontmatter import PROBLEMS

            problem, advice = PROBLEMS.get(error.problem, (error.problem, "Correct it."))
            message = f"The file is not valid YAML: {problem}; {title} loads nothing from it. {advice}"
            yield self.finding(Span(error.offset, end), message)
        for flaw in subject.list_document.flaws:
            outcome = "ignores it without any warning" if flaw.silent else "refuses the file"
            message = f"The file is not a valid list of {subject.kind_name}s: {flaw.problem}; {title} {outcome}."
            yield self.finding(flaw.span, message, consequence=Consequence.IGNORED if flaw.silent else None)
