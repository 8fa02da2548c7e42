"""The losses of a conversion to another harness, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.tool import Tool, accepts
from fsagent_lint.rewrite.render import Loss


class LossKind:
    """What is lost or gained: the names of the rules that report it.

    Files, servers and placeholders are no matter of one file's check: `convert` and `sync` alone report them.
    """

    TOOL = "lost-tool"
    SCOPE = "lost-scope"
    FIELD = "lost-field"
    ASK = "lost-ask"
    APPROVAL = "lost-approval"
    PLACEHOLDER = "lost-placeholder"
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
    """Report each loss; what one reason covers is reported together."""
    together: dict[tuple[str, str], dict[Tool, None]] = {}
    for kind, tool, detail in losses:
        if kind == "tool":
            why = f" ({detail})" if detail else ""
            what = f"`{tool}`" if tool.native else str(tool)
            message = f"{target.title} has no equivalent of {what}{why}; it is left out."
            yield ReportedLoss(LossKind.TOOL, message, Consequence.NARROWED, tool)
        elif kind == "scope":
            done = "it is written without limit" if accepts(accept, tool) else "it is left out"
            message = f"{target.title} cannot limit {tool} to `{detail}`; {done}."
            yield ReportedLoss(LossKind.SCOPE, message, Consequence.WIDENED, tool)
        else:
            together.setdefault((kind, detail), {})[tool] = None
    for (reason, detail), tools in together.items():
        yield _report_together(reason, detail, list(tools), target, accept)


def _report_together(
    kind: str, detail: str, tools: list[Tool], target: Harness, accept: frozenset[str]
) -> ReportedLoss:
    title, names = target.title, " and ".join(map(str, tools))
    if kind == "denied":
        message = (
            f"{title} cannot deny {detail} without {names}; {'both are' if len(tools) == 1 else 'all are'} denied."
        )
        return ReportedLoss(LossKind.TOOL, message, Consequence.NARROWED, tools[0])
    if kind == "ask":
        message = f"{title} cannot be told to ask before {names}; {'it is' if len(tools) == 1 else 'they are'} allowed."
        return ReportedLoss(LossKind.ASK, message, Consequence.IGNORED, tools[0])
    if kind == "approval":
        message = f"{title} approves nothing in advance; {names} will need a confirmation."
        return ReportedLoss(LossKind.APPROVAL, message, Consequence.IGNORED, tools[0])
    if kind == "same risk":
        verb, denied = "is" if len(tools) == 1 else "are", "are" if " and " in detail else "is"
        message = (
            f"{names} {verb} left out as well: {detail}, of the same risk, {denied} denied, and {title} gets a list."
        )
        return ReportedLoss(LossKind.TOOL, message, Consequence.NARROWED, tools[0])
    if kind == "servers":
        message = f"{title} gets a list of what is not denied; tools of MCP servers are left out{detail}."
        return ReportedLoss(LossKind.TOOL, message, Consequence.NARROWED, tools[0])
    if kind == "unnamed":
        message = "Tools that the map does not name are left out, although its own harness grants them."
        return ReportedLoss(LossKind.TOOL, message, Consequence.NARROWED, tools[0])
    what = f"In {title} `{detail}` also brings {names}"
    if kind == "bundled":
        return ReportedLoss(LossKind.WIDENED, f"{what}, of the same risk.", Consequence.STYLE, tools[0])
    if all(accepts(accept, tool) for tool in tools):
        return ReportedLoss(LossKind.WIDENED, f"{what}, a risk that was accepted.", Consequence.STYLE, tools[0])
    clause = "a risk that the agent was not meant to have; nothing is written"
    return ReportedLoss(LossKind.WIDENED, f"{what}, {clause}.", Consequence.WIDENED, tools[0])
