"""Comments in a tool value that is written anew: none is lost, and each stays with what it is about."""

from __future__ import annotations

import dataclasses
import re

import pytest
from fixing import look, rewritten
from hypothesis import event, given, settings
from hypothesis import strategies as st

from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.linter.suppress import find_ignores
from fsagent_lint.rewrite.entry_edits import remove_item
from fsagent_lint.rewrite.lay_out import Replacements
from fsagent_lint.rewrite.render import Rendered

NAMES = {
    "claude-code": ("Read", "Grep", "Glob", "LS", "Edit", "Write", "Bash", "Monitor", "TodoWrite", "mcp__db__query"),
    "opencode": ("read", "grep", "glob", "edit", "bash", "webfetch", "task", "db_query"),
    "copilot": ("read", "search", "edit", "execute", "web", "db/query", "nonsense"),
}
FORMS = [
    (target, form, native)
    for target, forms in {
        "claude-code": ("csv", "list"),
        "opencode": ("permission", "map"),
        "copilot": ("list", "csv"),
        "gemini": ("list",),
        "factory": ("list",),
        "canonical": ("list", "csv"),
    }.items()
    for form in forms
    for native in (True, False)
]


@dataclasses.dataclass
class Written:
    """A tool value with comments on many of its lines."""

    lines: list[str] = dataclasses.field(default_factory=list)
    about: dict[str, str] = dataclasses.field(default_factory=dict)
    """The words of each comment, with the name of its entry; without a name, it is about the value."""

    def text(self, newline: str) -> str:
        lines = ["---", "description: d", *self.lines, "model: x # m", "---", "body", ""]
        return newline.join(lines)


class Writer:
    """Draws a tool value; a comment may stand wherever YAML allows one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw, self.written = draw, Written()

    def comment(self, name: str, *, plain: bool = False) -> str:
        words = f"c{len(self.written.about)}."
        self.written.about[words] = name
        kinds = ("# {}", "#{}", "# fsagent: ignore[unknown-tool] {}")
        return f"# {words}" if plain or not name else self.draw(st.sampled_from(kinds)).format(words)

    def above(self, indent: str, name: str, *, plain: bool = False) -> None:
        for _ in range(self.draw(st.integers(0, 2))):
            self.written.lines.append(indent + self.comment(name, plain=plain))

    def line(self, line: str, name: str = "") -> None:
        self.written.lines.append(f"{line} {self.comment(name)}" if self.draw(st.booleans()) else line)

    def block_list(self, names: list[str]) -> None:
        indent = self.draw(st.sampled_from(("", "  ", "    ")))
        self.line("tools:")
        for name in names:
            self.above(indent, name)
            self.line(f"{indent}- {name}", name)
        self.above(indent, "")

    def flow_list(self, names: list[str]) -> None:
        self.line("tools: [")
        for name in names:
            self.above("  ", name)
            self.line(f'  "{name}",', name)
        self.above("  ", "")
        self.line("  ]")

    def text(self, names: list[str]) -> None:
        self.line(f"tools: {', '.join(names)}")

    def switches(self, names: list[str]) -> None:
        self.line("tools:")
        for name in names:
            self.above("  ", name)
            self.line(f"  {name}: {self.draw(st.sampled_from(('true', 'false')))}", name)
        self.above("  ", "")

    def permission(self, names: list[str]) -> None:
        self.line("permission:")
        for name in names:
            self.above("  ", name)
            if name != "bash":
                self.line(f"  {name}: {self.action()}", name)
                continue
            self.line("  bash:", name)
            for pattern in self.draw(st.lists(st.sampled_from(("*", "git *", "rm *")), min_size=1, unique=True)):
                self.above("    ", name)
                self.line(f'    "{pattern}": {self.action()}', name)
            # After the value, comments stay where they are; a suppression applies to the next line.
            self.above("    ", name if name != names[-1] else "", plain=True)
        self.above("  ", "")

    def action(self) -> str:
        return self.draw(st.sampled_from(("allow", "ask", "deny")))


SHAPES = {
    "claude-code": (Writer.block_list, Writer.flow_list, Writer.text),
    "copilot": (Writer.block_list, Writer.flow_list),
    "opencode": (Writer.switches, Writer.permission),
}


@st.composite
def values(draw: st.DrawFn, harness: str) -> Written:
    writer = Writer(draw)
    names = draw(st.lists(st.sampled_from(NAMES[harness]), min_size=1, max_size=5, unique=True))
    draw(st.sampled_from(SHAPES[harness]))(writer, names)
    return writer.written


def entries_by_line(subject: Subject) -> dict[int, list[str]]:
    lines: dict[int, list[str]] = {}
    for value in subject.values:
        for item in value.items:
            lines.setdefault(subject.document.source.position(item.span.start)[0], []).append(item.name)
    return lines


def next_to(number: int, lines: list[str], entries: dict[int, list[str]]) -> list[str]:
    """The entries on the line of a comment or below it; if it is indented deeper than those, the ones above."""
    at = next(each for each in range(number, len(lines)) if not lines[each - 1].lstrip().startswith("#"))
    margin, own = (len(line) - len(line.lstrip()) for line in (lines[at - 1], lines[number - 1]))
    if at in entries and margin >= own:
        return entries[at]
    return next(names for line, names in sorted(entries.items(), reverse=True) if line < at)


@given(st.data(), st.sampled_from(sorted(NAMES)), st.sampled_from(FORMS), st.sampled_from(("\n", "\r\n")))
@settings(max_examples=600)
def test_every_comment_stays_once_and_next_to_its_entry(
    data: st.DataObject, harness: str, into: tuple[str, str, bool], newline: str
) -> None:
    target, form, native = into
    written = data.draw(values(harness))
    before = look(written.text(newline).encode(), harness)
    result = rewritten(before, target, form, native=native)
    event(f"{harness} to {target} as {form}: {'refused' if result is None else 'written'}")
    if result is None:
        return
    after, rendered = result
    lines = re.split(newline, after.document.source.text)
    entries = entries_by_line(after)
    replacements = Replacements(before, rendered)
    items = {item.text: item for value in before.values for item in value.items}
    for words, name in written.about.items():
        found = [number for number, line in enumerate(lines, 1) if words in line.partition("#")[2]]
        assert len(found) == 1 and lines[found[0] - 1].count(words) == 1, f"{words} is lost or doubled"
        if not name:
            continue
        line = lines[found[0] - 1]
        new = {entry.name.partition("(")[0] for entry in replacements.entries(items[name])}
        if not new or f"# {name}" in line or (len(entries) < 2 and found[0] not in entries):
            assert new or f"# {name}" in line, f"{words} does not say that it is about {name}"
            continue
        near = next_to(found[0], lines, entries)
        assert new & {each.partition("(")[0] for each in near}, f"{words} of {name} is next to {near}"


@given(st.data(), st.sampled_from(sorted(NAMES)), st.sampled_from(FORMS))
@settings(max_examples=300)
def test_a_suppression_never_covers_another_entry(
    data: st.DataObject, harness: str, into: tuple[str, str, bool]
) -> None:
    target, form, native = into
    written = data.draw(values(harness))
    before = look(written.text("\n").encode(), harness)
    result = rewritten(before, target, form, native=native)
    if result is None:
        return
    after, rendered = result
    check_suppressions(before, after, written, rendered)


def check_suppressions(before: Subject, after: Subject, written: Written, rendered: Rendered) -> None:
    """Every entry on a line that a suppression applies to comes from the entry that it was written for."""
    entries, replacements = entries_by_line(after), Replacements(before, rendered)
    items = {item.text: item for value in before.values for item in value.items}
    text = after.document.source.text
    for ignore in find_ignores(after.document):
        words = re.search(r"c\d+\.", text[ignore.span.end :])
        assert words is not None and ignore.lines is not None
        meant = {entry.name.partition("(")[0] for entry in replacements.entries(items[written.about[words[0]]])}
        covered = {name.partition("(")[0] for line in ignore.lines for name in entries.get(line, ())}
        assert covered <= meant, f"{words[0]} covers {covered}"


@given(st.data(), st.sampled_from(("claude-code", "copilot", "opencode")), st.integers(0, 4))
@settings(max_examples=300)
def test_a_removed_entry_leaves_its_comments_with_its_name(data: st.DataObject, harness: str, number: int) -> None:
    written = data.draw(values(harness))
    subject = look(written.text("\n").encode(), harness)
    (value,) = subject.values
    item = value.items[number % len(value.items)]
    text = subject.document.source.text
    edits = remove_item(text, value, item)
    if edits is None:
        return
    after = look(subject.document.source.to_bytes(apply_edits(text, edits)), harness)
    assert after.document.error is None
    assert item.text not in [each.text for each in after.values[0].items]
    for words, name in written.about.items():
        (line,) = [line for line in after.document.source.text.split("\n") if words in line]
        assert name != item.text or re.search(rf"# {re.escape(name)}(\([^)]*\))?: ", line), line
    assert not [ignore for ignore in find_ignores(after.document) if covers_another(ignore.lines, after, written)]


def covers_another(lines: range | None, subject: Subject, written: Written) -> bool:
    text = subject.document.source.text.split("\n")
    assert lines is not None
    words = re.search(r"c\d+\.", text[lines[0] - 1].partition("fsagent")[2])
    assert words is not None
    entries = entries_by_line(subject)
    return any(name != written.about[words[0]] for line in lines for name in entries.get(line, ()))


def test_a_suppression_above_a_key_that_goes_does_not_stay_for_the_next_key() -> None:
    before = "# fsagent: ignore[x] why\ntools: '*' # all\nmodel: y\n"
    result = rewritten(look(f"---\n{before}---\n".encode(), "claude-code"), "opencode", "permission", native=True)
    assert result is not None
    assert result[0].document.source.yaml_text == "# tools: fsagent: ignore[x] why\n# tools: all\nmodel: y\n"


@pytest.mark.parametrize(
    ("before", "target", "form", "after"),
    [
        pytest.param(
            "tools:\n  - LS # fsagent: ignore[removed-tool] old\n  - Read # look\n", "copilot", "list",
            "tools:\n  - read # LS: fsagent: ignore[removed-tool] old # look\n",
            id="of two entries that become one, a suppression is only text",
        ),
        pytest.param(
            "tools:\n  - Bash # fsagent: ignore[x] why\n  # fsagent: ignore-file[y]\n  - Read\n", "copilot", "csv",
            "# execute: fsagent: ignore[x] why\n# fsagent: ignore-file[y]\ntools: execute, read\n",
            id="above a key with all names it would apply to each",
        ),
        pytest.param(
            "tools:\n  # fsagent: ignore[x]\n  - Monitor\n  - Read\n", "copilot", "list",
            "tools:\n  # Monitor: fsagent: ignore[x]\n  - read\n",
            id="and without its entry to the next one",
        ),
    ],
)  # fmt: skip
def test_a_suppression_that_leaves_its_entry_is_only_text(before: str, target: str, form: str, after: str) -> None:
    result = rewritten(look(f"---\ndescription: d\n{before}---\n".encode(), "claude-code"), target, form, native=True)
    assert result is not None
    assert result[0].document.source.yaml_text == f"description: d\n{after}"
