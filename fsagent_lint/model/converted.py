"""What becomes of an agent that is written for a harness, or for another program."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.model.loss import ReportedLoss


class Converted(NamedTuple):
    """A file for another harness."""

    path: str
    """Where the target harness looks for the file, relative to the project."""
    data: bytes
    losses: tuple[ReportedLoss, ...]
    error: str = ""
    """Why there is no result."""
    name: str = ""
    """The identity of the agent."""
    kind: str = ""
    """The kind of file for the target."""
    fields: Mapping[str, Value] = MappingProxyType({})
    """The frontmatter of the source."""
    servers: tuple[str, ...] = ()
    """The MCP servers that it names and does not define itself."""

    @property
    def text(self) -> str:
        """The content of the file; UserError if there is no result."""
        if self.error:
            raise UserError(self.error)
        return self.data.decode("utf-8", "surrogateescape")


NOT_CONVERTED = Converted("", b"", ())


class Exported(NamedTuple):
    """An agent for another program."""

    data: bytes
    losses: tuple[ReportedLoss, ...] = ()

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "surrogateescape")
