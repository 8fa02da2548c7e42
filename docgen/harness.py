"""The page of a harness: the facts of its table, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgen.fields import field_section
from docgen.files import file_section
from docgen.harness_tools import tool_sections
from docgen.keys import key_section
from docgen.markdown import NOTICE, bullets, code, codes, first_paragraph, table
from docgen.recordings import Recordings
from docgen.samples import outcomes
from fsagent_lint.effect.readers import READERS
from fsagent_lint.effect.semantics import SEMANTICS
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.model_names import ModelNames

_FENCE = {
    "line": "a line `---`",
    "prefix": "a line that begins with `---`",
    "anywhere": "the first `---` anywhere, even inside a line",
}


_DISCOVERED = {
    "servers": "MCP servers",
    "plugin-servers": "a plugin and its MCP servers",
    "plugins": "the folders of plugins",
    "custom-tools": "custom tools of the project",
    "agents": "agents",
    "skills": "skills",
    "opencode-config": "permissions",
    "kilo-config": "permissions",
    "claude-settings": "permissions",
}


def page(harness: Harness, recordings: Recordings) -> str:
    return NOTICE + "\n".join(_sections(harness, recordings))


def index(harnesses: tuple[Harness, ...], recordings: Recordings) -> str:
    """The page of all harnesses."""
    rows = [
        (
            f"[{harness.title}]({harness.id}.md)",
            code(harness.id),
            harness.shown_version,
            str(harness.verified),
            f"{recordings.count(harness.id):,} files" if harness in recordings.observed() else "no",
            ", ".join(harness.kinds),
        )
        for harness in harnesses
    ]
    head = ["harness", "id", "version", "verified", "observed", "kinds of files"]
    return (
        f"{NOTICE}# Harnesses\n\nWhat each harness does with its agent files: the places and keys that it reads, the names of its "
        "tools, and common surprises. *Observed*: the harness was run on that many small files, and what it did is "
        "[recorded](../surprises.md). The facts about other harnesses come from their sources and "
        f"documentation.\n\n{table(head, rows)}"
    )


def summary(harnesses: Sequence[Harness], recordings: Recordings) -> str:
    """A row for each harness, for the README."""
    rows = [
        (
            f"[{harness.title}](docs/harnesses/{harness.id}.md)",
            ", ".join(harness.kinds),
            f"observed: {recordings.count(harness.id):,} files run on {harness.shown_version}"
            if harness in recordings.observed()
            else f"from sources, not observed: {harness.shown_version}",
        )
        for harness in harnesses
    ]
    return table(["harness", "files", "verified by"], rows)


def _sections(harness: Harness, recordings: Recordings) -> Iterator[str]:
    observed = harness in recordings.observed()
    yield f"# {harness.title}\n"
    yield (
        f"{code(harness.id)} · version {harness.shown_version} · verified {harness.verified} · "
        + (
            f"observed with {recordings.count(harness.id):,} small files{recordings.since(harness.id)}"
            if observed
            else "from sources, not observed"
        )
        + "\n"
    )
    if not any(kind.globs for kind in harness.kinds.values()):
        yield "It reads no folder of its own: the config lists the files that are written for it.\n"
    if harness.unverified:
        yield f"**Not verified:** {harness.unverified}\n"
    if harness.surprises:
        more = "\nRecorded examples: [What your agent file really does](../surprises.md).\n" if observed else ""
        yield f"## Surprises\n\n{bullets(harness.surprises)}{more}"
    if harness.reads("agent"):
        yield (
            "## Effective tools\n\n"
            f"The tools that an agent is granted, by its frontmatter, in [canonical names](../tools.md); computed from the facts on this page.\n\n{outcomes(harness)}"
        )
    yield from file_section(harness)
    yield from key_section(harness.kinds)
    yield from field_section(harness.kinds)
    yield from _hooks(harness)
    yield f"## How it reads a file\n\n{bullets(_reading(harness))}"
    yield from tool_sections(harness)
    if harness.discovers:
        rows = [(codes(files), _DISCOVERED[what]) for what, files in _discovered(harness).items()]
        yield f"## Other files that it reads\n\n{table(['file', 'defines'], rows)}"
    yield from _models(harness.models)
    yield from _placeholders(harness)
    yield f"## Sources\n\n{bullets(harness.sources)}"


def _hooks(harness: Harness) -> Iterator[str]:
    hooks = harness.hooks
    if hooks.events:
        kinds = (f"{code(name)} with {codes(keys)}" for name, keys in hooks.types.items())
        facts = [
            f"Events: {codes(hooks.events)}. Any other event is ignored.",
            f"Types of a hook: {', '.join(kinds)}. A hook of another form is ignored.",
            f"If such a hook belongs to {codes(hooks.guards)}, an agent is not loaded, and any other file loads without "
            "hooks and approvals.",
        ]
        yield f"## Hooks\n\n{bullets(facts)}"


def _models(models: ModelNames) -> Iterator[str]:
    """How models are named, if the table knows it."""
    rows = [
        (f"{maker} {family}", code(template), codes(filter(None, [models.bare.get(maker, {}).get(family, "")])))
        for maker, families in models.written.items()
        for family, template in families.items()
    ]
    written = table(["model", "written", "without a version"], rows) if rows else ""
    taken = f"Accepted as they are: {codes(models.takes)}.\n" if models.takes else ""
    if written or taken:
        yield "## Models\n\n" + "\n".join(filter(None, (written, taken)))


def _placeholders(harness: Harness) -> Iterator[str]:
    rows = [
        (name, codes((*each.arguments, *each.argument, *filter(None, (each.input, each.command, each.file)))))
        for name, each in ((name, kind.notation) for name, kind in harness.kinds.items())
        if each.given()
    ]
    if rows:
        yield f"## Placeholders in a prompt\n\n{table(['in', 'replaced'], rows)}"


def mcp_files(harnesses: Sequence[Harness]) -> str:
    """Where each harness defines MCP servers, and how a value refers to an environment variable there."""
    configs = [(each.title, each.mcp_config) for each in harnesses if each.mcp_config is not None]
    rows = [
        (title, codes(config.files), code(config.key), code(config.variables[0].replace("NAME", "X")))
        for title, config in configs
    ]
    return table(["harness", "file", "key", "variable"], rows)


def _discovered(harness: Harness) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in harness.discovers:
        files = found.setdefault(each.what, [])
        files += [each.file] if each.file not in files else []
    return found


def _reading(harness: Harness) -> Iterator[str]:
    yield f"Frontmatter: {first_paragraph(READERS[harness.reader].__doc__)} It ends at {_FENCE[harness.fence]}."
    for name, kind in harness.kinds.items():
        if kind.reader:
            yield f"A file of kind {name}: {first_paragraph(READERS[kind.reader].__doc__)}"
    yield f"Tool keys: {first_paragraph(SEMANTICS[harness.semantics].__doc__)}"
    yield "Names are " + ("not case-sensitive." if harness.ignore_case else "case-sensitive.")
    if harness.matching == "last-segment":
        yield "Of a name with slashes, only the part after the last one counts."
    if harness.open_names:
        yield "An unknown name may be a tool of an extension, a plugin or an MCP server; it is only reported if it looks like a typo."
    if harness.everything:
        yield f"Every tool: {' or '.join(map(code, harness.everything))}."
    if harness.reference:
        yield f"In a prompt, {code(harness.reference)} before a name refers to a tool."
    if harness.agents:
        yield f"Built-in agents: {codes(harness.agents)}."
