"""What each harness does with the same lines of frontmatter: always computed, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgen.markdown import bullets, code, table
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.tool import BUILTIN

NOTHING = "no tool key"

SAMPLES = (
    "",
    "tools: Read, Grep",
    "tools: read, grep",
    "tools: [read, grep]",
    "tools: {read: true, grep: true}",
    "tools: {'*': false, read: true}",
    "tools: {write: false, edit: true}",
    "tools: {Bash: false}",
    "tools: Bash(git diff:*)",
    "tools: no-such-tool",
    "tools: ['*']",
    "tools: []",
    "tools:",
    "allowed-tools: Read",
    "disallowedTools: Bash",
    "permission: {bash: deny}",
    "permission: {write: deny}",
    "permission: {bash: allow, '*': deny}",
    "color: blue",
)


README_SAMPLES = (
    "",
    "tools: Read, Grep",
    "tools: read, grep",
    "tools: {read: true, grep: true}",
    "tools: Bash(git diff:*)",
    "tools: []",
    "allowed-tools: Read",
    "disallowedTools: Bash",
    "permission: {bash: deny}",
    "color: blue",
)
"""The samples in which harnesses differ most."""


def matrix(harnesses: Sequence[Harness]) -> str:
    """The table of the README: one row for each sample, one column for each harness."""
    head = ["in an agent's frontmatter", *(harness.title for harness in harnesses)]
    rows = [
        [code(sample) if sample else NOTHING, *(outcome(sample, harness) for harness in harnesses)]
        for sample in README_SAMPLES
    ]
    return table(head, rows)


def outcomes(harness: Harness) -> str:
    """A list for one harness: samples with the same outcome in one line, with the error if the file is refused."""
    same: dict[str, list[str]] = {}
    for sample in SAMPLES:
        same.setdefault(outcome(sample, harness, reasons=True), []).append(code(sample) if sample else NOTHING)
    return bullets(f"**{result}**: {' · '.join(samples)}" for result, samples in same.items())


def outcome(sample: str, harness: Harness, *, reasons: bool = False) -> str:
    """A short description of the effective tools, in canonical names."""
    result = _effect(sample, harness)
    if not result.loads:
        return f"does not load: {result.error}" if reasons else "does not load"
    usual = _effect("", harness)
    granted = [*result.tools, *result.ask]
    missing = _canonical([tool for tool in (*usual.tools, *usual.ask) if tool not in granted], harness)
    chosen = _canonical([tool for tool in granted if harness.tools[tool].presence != "always"], harness)
    missing = [tool for tool in missing if tool not in chosen]
    if not chosen:
        return "no tools"
    if not missing:
        return "every tool"
    return f"all but {', '.join(missing)}" if len(missing) < len(chosen) else f"only {', '.join(chosen)}"


def _effect(sample: str, harness: Harness) -> Effect:
    text = f"---\nname: example\ndescription: An example.\n{sample}\n---\n"
    return effect(Document(Source("example.md", text.encode())), harness, harness.kinds["agent"])


def _canonical(natives: Iterable[str], harness: Harness) -> list[str]:
    granted = {tool for native in natives for tool in harness.tools[native].grants}
    return [tool for tool in BUILTIN if tool in granted]
