"""FA010 invalid-agents-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import DATA_FILES, Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject


class InvalidAgentsFile(Rule):
    """A data file of agents is not valid JSON, YAML or TOML, or an entry is not an agent.

    ## Why
    Roo Code keeps the modes of a project in one file. If the file is not valid YAML, or one entry of its list is not a
    mode, none of the modes is loaded. If the list itself is missing, Roo Code reports nothing. OpenCode does not start if
    its config is not valid.

    ## What to do
    Correct the file. In YAML, the most common mistake is an unquoted colon or quote in a text: write the text as a block,
    `|-` with the text indented below it. In JSON, it is a missing comma, or single quotes.
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
            outcome = f"{title} ignores it without any warning" if flaw.silent else subject.refuses
            is_list = bool(subject.layout.under)
            what = (
                f"The file is not a valid list of {subject.kind_name}s: {flaw.problem}"
                if is_list
                else _start(flaw.problem)
            )
            message = f"{what}; {outcome}."
            yield self.finding(flaw.span, message, consequence=Consequence.IGNORED if flaw.silent else None)


def _start(problem: str) -> str:
    """The problem as the start of a sentence."""
    return problem if problem[0] == "`" else f"{problem[0].upper()}{problem[1:]}"
