"""FA011 unread-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject


class UnreadFile(Rule):
    """A file is of a kind that the harness no longer loads.

    ## Why
    VS Code's chat modes have become agents. It still knows the files in the editor, with a hint to move them, but it
    lists none of them: the chat mode is gone, with its instructions and its tools.

    ## What to do
    Move the file to where the harness looks for it now. If your team has an older version, say so in the config:
    `[harness.vscode] version = "1.106"`.
    """

    code = "FA011"
    name = "unread-file"
    consequence = Consequence.REFUSED
    sorts = MARKDOWN_FILES
    examples = (
        Good("---\ndescription: d\ntools: [read]\n---\n", harness="vscode", path=".github/agents/a.agent.md"),
        Good("---\ndescription: d\ntools: [read]\n---\n", harness="vscode", path=".github/prompts/a.prompt.md"),
        Bad(
            "⟦⟧---\ndescription: d\ntools: [read]\n---\n",
            harness="vscode",
            kind="chatmode",
            path=".github/chatmodes/a.chatmode.md",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        place = subject.kind.moved_to
        if place:
            harness, name = subject.harness, subject.document.stem
            what = f"{harness.title} {harness.version} does not load files of this kind"
            yield self.finding(Span(0, 0), f"{what}. Move it to `{place.replace('{name}', name)}`.")
