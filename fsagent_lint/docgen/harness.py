"""A harness' page: all that its table says, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.docgen.harness_tools import tool_sections
from fsagent_lint.docgen.kind import kind_section
from fsagent_lint.docgen.markdown import NOTICE, bullets, code, first_paragraph, table
from fsagent_lint.docgen.samples import column
from fsagent_lint.harness import Harness
from fsagent_lint.reader import READERS
from fsagent_lint.semantics import SEMANTICS

_FENCE = {
    "line": "a line `---`",
    "prefix": "a line that begins with `---`",
    "anywhere": "the first `---` anywhere, even inside a line",
}
_UNKNOWN_FIELDS = {
    "ignored": "ignored without a word",
    "forwarded": "passed on to the model's provider",
    "refused": "the file does not load",
}


def page(harness: Harness) -> str:
    return NOTICE + "\n".join(_sections(harness))


def index(harnesses: tuple[Harness, ...]) -> str:
    """The page of all harnesses."""
    rows = [
        (
            f"[{harness.title}]({harness.id}.md)",
            code(harness.id),
            harness.version,
            harness.verified.isoformat(),
            ", ".join(harness.kinds),
        )
        for harness in harnesses
    ]
    return f"{NOTICE}# Harnesses\n\n" + table(["harness", "id", "version", "verified", "kinds of files"], rows)


def _sections(harness: Harness) -> Iterator[str]:
    yield f"# {harness.title}\n"
    yield f"{code(harness.id)} · version {harness.version} · verified {harness.verified}\n"
    if not any(kind.globs for kind in harness.kinds.values()):
        yield "It looks nowhere by itself: the config says which files are written for it.\n"
    if harness.unverified:
        yield f"**Not verified:** {harness.unverified}\n"
    if harness.surprises:
        yield f"## What people do not expect\n\n{bullets(harness.surprises)}"
    yield (
        "## What it does with an agent\n\n"
        f"Computed from the facts on this page. Names are those of the [canonical tools](../tools.md).\n\n{column(harness)}"
    )
    yield f"## How it reads a file\n\n{bullets(_reading(harness))}"
    for name, kind in harness.kinds.items():
        yield kind_section(name, kind)
    yield from tool_sections(harness)
    if harness.models:
        rows = [(family, code(name)) for family, name in harness.models.items()]
        yield f"## Models\n\n{table(['family', 'written'], rows)}"
    yield f"## Sources\n\n{bullets(harness.sources)}"


def _reading(harness: Harness) -> Iterator[str]:
    yield f"Frontmatter: {first_paragraph(READERS[harness.reader].__doc__)}"
    yield f"It ends at {_FENCE[harness.fence]}."
    yield f"Tool keys: {first_paragraph(SEMANTICS[harness.semantics].__doc__)}"
    yield "Names: upper and lower case are " + ("the same." if harness.ignore_case else "told apart.")
    if harness.matching == "last-segment":
        yield "Of a name with slashes, only what stands behind the last one counts."
    if harness.open_names:
        yield "An unknown name may be a tool of an extension, a plugin or an MCP server; it is reported only where it looks like a slip."
    if harness.everything:
        yield f"Every tool: {' or '.join(map(code, harness.everything))}."
    yield f"Fields that it does not know: {_UNKNOWN_FIELDS[harness.unknown_fields]}."
