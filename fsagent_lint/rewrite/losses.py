"""The losses of a conversion to another harness, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.tool import Tool, accepts
from fsagent_lint.rewrite.render import Loss


class LossKind:
    """What is lost or gained."""

    TOOL = "lost-tool"
    SCOPE = "lost-scope"
    FIELD = "lost-field"
    ASK = "lost-ask"
    FILE = "lost-file"
    SERVER = "lost-server"
    WIDENED = "widened"


class ReportedLoss(NamedTuple):
    """A loss in words."""

    code: str
    """One of `LossKind`."""
    message: str
    consequence: Consequence
    tool: Tool | None = None


def report_losses(losses: Iterable[Loss], target: Harness, accept: frozenset[str]) -> Iterator[ReportedLoss]:
    """Report each loss; the extra tools that one name grants are reported together."""
    extra: dict[tuple[str, str], list[Tool]] = {}
    for kind, tool, detail in losses:
        if kind == "tool":
            why = f" ({detail})" if detail else ""
            message = f"{target.title} has nothing for {tool}{why}; the agent will do without."
            yield ReportedLoss(LossKind.TOOL, message, Consequence.NARROWED, tool)
        elif kind == "scope":
            done = "it is written without limit" if accepts(accept, tool) else "it is left out"
            message = f"{target.title} cannot limit {tool} to `{detail}`; {done}."
            yield ReportedLoss(LossKind.SCOPE, message, Consequence.WIDENED, tool)
        else:
            extra.setdefault((kind, detail), []).append(tool)
    for (kind, name), tools in extra.items():
        what = f"In {target.title} `{name}` also brings {' and '.join(map(str, tools))}"
        if kind == "bundled":
            yield ReportedLoss(LossKind.WIDENED, f"{what}, of the same risk.", Consequence.STYLE, tools[0])
        elif all(accepts(accept, tool) for tool in tools):
            yield ReportedLoss(LossKind.WIDENED, f"{what}, a risk that was accepted.", Consequence.STYLE, tools[0])
        else:
            clause = "a risk that the agent was not meant to have; nothing is written"
            yield ReportedLoss(LossKind.WIDENED, f"{what}, {clause}.", Consequence.WIDENED, tools[0])
