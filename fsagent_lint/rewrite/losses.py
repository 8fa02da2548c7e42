"""The losses of a conversion to another harness, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import LossKind, ReportedLoss
from fsagent_lint.model.tool import Tool, accepts
from fsagent_lint.rewrite.entries import Loss


class _Words(NamedTuple):
    code: str
    consequence: Consequence
    message: str
    """With {title} of the target, {names} of the tools, {is_are} for them, and {detail}."""


_WORDS = {
    "tool": _Words(LossKind.TOOL, Consequence.NARROWED, "{title} has no equivalent of {names}{detail}; dropped."),
    "denied": _Words(
        LossKind.TOOL,
        Consequence.NARROWED,
        "{title} cannot deny {detail} alone; {names} {is_are} denied, too.",
    ),
    "undenied": _Words(
        LossKind.TOOL, Consequence.IGNORED, "{title} cannot deny {names}, which `{detail}` also grants."
    ),
    "same risk": _Words(
        LossKind.TOOL,
        Consequence.NARROWED,
        "The denials become a list of tools in {title}; {names} {is_are} dropped (same risk as {detail}).",
    ),
    "servers": _Words(
        LossKind.TOOL,
        Consequence.NARROWED,
        "The denials become a list of tools in {title}; tools of MCP servers are dropped{detail}.",
    ),
    "unnamed": _Words(
        LossKind.TOOL,
        Consequence.NARROWED,
        "Tools that the map does not name are dropped, although the file's harness grants them.",
    ),
    "ask": _Words(
        LossKind.ASK,
        Consequence.IGNORED,
        "{title} has no equivalent of `ask`; {names} {is_are} allowed.",
    ),
    "approval": _Words(
        LossKind.APPROVAL,
        Consequence.IGNORED,
        "{title} does not approve tools in advance; {names} will need confirmation.",
    ),
    "unapproved": _Words(
        LossKind.APPROVAL,
        Consequence.IGNORED,
        "`{detail}` approves nothing in the source; {names} will need confirmation.",
    ),
    "bundled": _Words(LossKind.WIDENED, Consequence.STYLE, "In {title} `{detail}` also grants {names} (same risk)."),
    "accepted": _Words(LossKind.WIDENED, Consequence.STYLE, "In {title} `{detail}` also grants {names}; accepted."),
    "place": _Words(LossKind.WIDENED, Consequence.STYLE, "{detail}; accepted."),
    "widened": _Words(
        LossKind.WIDENED,
        Consequence.WIDENED,
        "In {title} `{detail}` also grants {names}, which is wider than intended; nothing is written. "
        "--unsafe-fixes accepts it.",
    ),
}


def report_losses(losses: Iterable[Loss], target: Harness, accept: frozenset[str]) -> Iterator[ReportedLoss]:
    """Report each loss; what one reason covers is reported together."""
    together: dict[tuple[str, str], dict[Tool, None]] = {}
    for kind, tool, detail in losses:
        if kind == "scope":
            done = "written without it" if accepts(accept, tool) else "dropped"
            message = f"{target.title} cannot limit {tool} to `{detail}`; {done}."
            yield ReportedLoss(LossKind.SCOPE, message, Consequence.WIDENED, (tool,))
        else:
            together.setdefault((kind, f" ({detail})" if kind == "tool" and detail else detail), {})[tool] = None
    for (reason, detail), tools in together.items():
        is_accepted = reason == "widened" and all(accepts(accept, tool) for tool in tools)
        words = _WORDS["accepted" if is_accepted else reason]
        names = [f"`{tool}`" if tool.is_native else str(tool) for tool in tools]
        text = words.message.format(
            title=target.title,
            names=names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}",
            is_are="is" if len(names) == 1 else "are",
            detail=detail,
        )
        yield ReportedLoss(words.code, text, words.consequence, tuple(tools))
