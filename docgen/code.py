"""The parts of Python modules that follow from the tables: names that editors complete and type checkers know."""

from __future__ import annotations

from collections.abc import Iterable

from fsagent_lint.harnesses.tables import builtin_ids
from fsagent_lint.model.tool import ALIASES, BUILTIN, describe_tool

CHOICES = "fsagent_lint/model/choices.py"
TOOL = "fsagent_lint/model/tool.py"


def choices(text: str) -> str:
    """The module of the choices, with the harnesses and tools that there are."""
    text = _fill(text, "harnesses", _literal("HarnessId", builtin_ids()))
    return _fill(text, "tool names", _literal("ToolName", (*BUILTIN, *ALIASES)))


def tool(text: str) -> str:
    """The module of the tools, with an attribute for each."""
    lines = (f'    {name}: ClassVar[Tool]\n    """{describe_tool(name)}"""\n' for name in BUILTIN)
    return _fill(text, "tools", "".join(lines))


def _literal(name: str, values: Iterable[str]) -> str:
    lines = "".join(f'    "{value}",\n' for value in values)
    return f"{name} = Literal[\n{lines}]\n"


def _fill(text: str, region: str, content: str) -> str:
    """Replace what stands between two comments."""
    begin, end = f"# begin: {region}, written by docgen\n", f"# end: {region}\n"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"there is no region {region!r}")
    indent = before.rpartition("\n")[2]
    return f"{before}{begin}{content}{indent}{end}{after}"
