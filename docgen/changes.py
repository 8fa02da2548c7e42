"""The page of what changed in harnesses: each section compares two versions of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgen.markdown import NOTICE, bullets, code, codes, first_paragraph
from fsagent_lint.effect.readers import READERS
from fsagent_lint.harnesses.harness import Harness, NativeTool
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.versions import at_version, version_key

_FACTS = {
    "delegated": "what it is in a subagent",
    "falls_with": "which denials it falls with",
    "grants": "what it does",
    "unless": "which tools replace it",
}


def page(harnesses: Sequence[Harness]) -> str:
    return NOTICE + "\n".join(_sections([each for each in harnesses if each.was]))


def _sections(harnesses: Sequence[Harness]) -> Iterator[str]:
    yield "# What changed in the harnesses\n"
    yield (
        "What the same agent file does depends on the version of the harness that reads it. These are the differences "
        "that fsagent-lint knows, the newest first. `fsagent-lint --harness claude-code@2.1.197` checks files as an "
        "older version reads them, and `[harness.claude-code] version` in the config says which one a team runs.\n"
    )
    for harness in harnesses:
        yield f"## {harness.title}\n"
        sources = {was.until: was.source for was in harness.was}
        newer, name = harness, harness.version
        for until in sorted(sources, key=version_key, reverse=True):
            older = at_version(harness, until)
            source = f" ({sources[until]})" if sources[until] else ""
            yield f"### After {until}{source}\n"
            yield bullets(list(_differences(older, newer)))
            newer, name = older, until
        yield f"Nothing is known about versions before {harness.oldest or name}.\n"


def _differences(older: Harness, newer: Harness) -> Iterator[str]:
    yield from _tools(older, newer)
    for name, kind in newer.kinds.items():
        if name in older.kinds:
            yield from _kind(name, older.kinds[name], kind)
    if older.reader != newer.reader:
        yield f"Files are read in another way. Before: {first_paragraph(READERS[older.reader].__doc__)}"


def _tools(older: Harness, newer: Harness) -> Iterator[str]:
    gone = [name for name in older.tools if name not in newer.tools]
    new = [name for name in newer.tools if name not in older.tools]
    if new:
        yield f"New: {codes(new)}."
    if gone:
        yield f"Gone: {codes(gone)}."
    lost = [name for name in older.names if older.natives(name) and not newer.natives(name)]
    if lost:
        yield f"No longer understood: {codes(lost)}."
    kept = [(name, older.tools[name], newer.tools[name]) for name in newer.tools if name in older.tools]
    by_sentence: dict[str, list[str]] = {}
    for name, before, now in kept:
        for sentence in _tool(before, now):
            by_sentence.setdefault(sentence, []).append(name)
    yield from (f"{codes(names)}: {sentence}." for sentence, names in by_sentence.items())


def _tool(before: NativeTool, now: NativeTool) -> Iterator[str]:
    if before.presence != now.presence:
        words = {"default": "granted by default", "listed": "granted only if listed", "always": "always granted"}
        state = words.get(now.presence) or f"granted only with {now.condition}"
        past = words.get(before.presence) or f"granted only if {before.condition}"
        yield f"{state}; before, {past}"
    if before.delegated != now.delegated:
        where = {
            "never": "not granted to a subagent",
            "foreground": "not granted to a subagent that runs in the background, as they do by default",
            "": "granted to a subagent",
        }
        yield where.get(now.delegated, f"{_FACTS['delegated']} has changed")
    if before.falls_with != now.falls_with:
        yield f"denied together with {codes(now.falls_with)}" if now.falls_with else "denied only by its own name"
    if before.grants != now.grants:
        yield f"{_FACTS['grants']} has changed"


def _kind(name: str, before: Kind, now: Kind) -> Iterator[str]:
    if before.delegated_without_tools != now.delegated_without_tools:
        does = "is refused" if now.delegated_without_tools == "refused" else "starts without tools"
        yield f"A subagent whose tool entries grant nothing {does}."
    for key, facts in now.keys.items():
        if key in before.keys and before.keys[key].loaded != facts.loaded:
            does = "approves what it lists" if facts.loaded == "approves" else "approves nothing"
            yield f"{code(key)} of a {name} that the model loads {does}."
    for field, facts_now in now.fields.items():
        if field not in before.fields:
            yield f"New field of {name} files: {code(field)}."
        elif before.fields[field].wrong != facts_now.wrong:
            does = "keeps the file from loading" if facts_now.wrong == "refused" else "is ignored"
            yield f"A wrong value of {code(field)} in {name} files {does}."
        elif before.fields[field].undelegated != facts_now.undelegated:
            yield f"{code(field)} of {name} files no longer decides which tools a subagent has."
