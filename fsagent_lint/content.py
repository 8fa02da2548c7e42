"""The role of a file that lies where no harness looks, told by its content or by the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsagent_lint.errors import UserError
from fsagent_lint.files.read import read_file

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.harnesses.kind import Role


class Guesser:
    """`harness`: what the user says that files are whose place does not tell."""

    def __init__(self, harnesses: Sequence[Harness], harness: str | None) -> None:
        self.harnesses = harnesses
        self.asked = next((each for each in harnesses if each.id == harness), None)
        if harness is not None and self.asked is None:
            known = ", ".join(each.id for each in harnesses)
            raise UserError(f"unknown harness {harness!r} (known: {known})")

    def guess(self, real: str, path: str, *, named: bool) -> tuple[Role | None, bool]:
        """Harness and kind, and whether that is an assumption.

        `path` is relative to the project; `named`: the user named this very file.
        """
        from fsagent_lint.agent.recognise import recognise
        from fsagent_lint.frontmatter.document import Document
        from fsagent_lint.frontmatter.source import Source

        document = Document(Source(path, read_file(real)))
        role = recognise(document, path, self.harnesses)
        if self.asked is None:
            return role, True
        if role is None and not named:
            return None, False
        own = recognise(document, path, (self.asked,)) or role
        kind = own[1] if own and own[1] in self.asked.kinds else self.asked.main_kind
        return (self.asked.id, kind), False
