"""FA010 invalid-agents-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import DATA_FILES, Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject


class InvalidAgentsFile(Rule):
    """A data file that holds agents is not valid JSON, YAML or TOML, or something in it is no agent.

    ## Why
    Roo Code keeps the modes of a project in one file. If that cannot be read, or one thing in its list is no mode, none
    of the modes is there. If the list itself is missing, nobody even says so. OpenCode does not start at all where its
    config cannot be read.

    ## What to do
    Correct the file. In YAML, a colon or a quote in a text is what breaks it most often: write the text as a block, `|-`
    and the text below it, indented. In JSON, it is a missing comma, or a text in single quotes.
    """

    code = "FA010"
    name = "invalid-agents-file"
    consequence = Consequence.REFUSED
    sorts = DATA_FILES
    examples = (
        Good("customModes: []\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("customModes:\n  - slug: a\n    name: A⟦:⟧ b\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("⟦customModes⟧: {a: b}\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("customModes:\n  - ⟦code⟧\n", harness="roo", kind="mode", path=".roomodes"),
        Bad("⟦⟧modes: []\n", harness="roo", kind="mode", path=".roomodes"),
        Good(
            '{"agent": {"a": {"description": "d"}}, /* c */}\n', harness="opencode", kind="config", path="opencode.json"
        ),
        Bad('{"agent": {"a": ⟦\'⟧d\'}}\n', harness="opencode", kind="config", path="opencode.json"),
        Bad('{⟦"agent"⟧: []}\n', harness="opencode", kind="config", path="opencode.jsonc"),
        Bad('{"agent": {⟦"a"⟧: "d"}}\n', harness="opencode", kind="config", path="opencode.json"),
        Bad('{"name": "a", ⟦/⟧/ c\n}\n', harness="kiro", path=".kiro/agents/a.json"),
        Bad('customModes:\n  - slug: "so ⟦“⟧called”"\n', harness="roo", kind="mode", path=".roomodes"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.sort is not Sort.DATA:
            return
        from fsagent_lint.agent.data.document import TITLES
        from fsagent_lint.agent.data.subject import DataSubject

        assert isinstance(subject, DataSubject)
        title, error = subject.harness.title, subject.document.error
        if error is not None:
            text = subject.document.source.text
            end = error.offset + (0 if text[error.offset : error.offset + 1] in ("", "\r", "\n") else 1)
            from fsagent_lint.rules.invalid_frontmatter import PROBLEMS

            problem, advice = PROBLEMS.get(error.problem, (error.problem, "Correct it."))
            what = TITLES[subject.layout.file]
            outcome = subject.refuses if subject.layout.refusal else f"{title} loads nothing from it"
            message = f"The file is not valid {what}: {problem}; {outcome}. {advice}"
            yield self.finding(Span(error.offset, end), message)
        for flaw in subject.data_document.flaws:
            outcome = f"{title} finds nothing in it, and does not say so" if flaw.silent else subject.refuses
            what = (
                f"This is no list of {subject.kind_name}s: {flaw.problem}"
                if subject.layout.under
                else _start(flaw.problem)
            )
            message = f"{what}; {outcome}."
            yield self.finding(flaw.span, message, consequence=Consequence.IGNORED if flaw.silent else None)


def _start(problem: str) -> str:
    """The problem as the start of a sentence."""
    return problem if problem[0] == "`" else f"{problem[0].upper()}{problem[1:]}"
