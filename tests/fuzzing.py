"""What the fuzzers share: files that are nearly right, and what must hold whatever is in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product

from fixing import look, repair
from hypothesis import strategies as st

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import bounds_of, wider
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import agents, convert_agent
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.model.finding import Finding
from fsagent_lint.project.target import Target
from fsagent_lint.report.diff import diff

SEEDS = [
    b"---\nname: a\ndescription: Use when: always\ntools: Read, bash, Bash(git diff:*), mcp__db__q, execute\n---\nbody\n",
    b"---\nname: a\ndescription: d\ntools:\n  - Read # why\n  - read\n\n# more\ndisallowedTools: [Bash]\nmodel: opus\n---\n",
    b"---\ndescription: d\ntools: {bash: false, write: yes, '*': true}\npermission:\n  bash: {'git *': allow, '*': deny}\n---\n",
    b"\xef\xbb\xbf---\r\ndescription: d\r\ntools: ['read', 'serach', 'db/*']\r\nallowed-tools: Read\r\n---\r\nbody\r\n",
    b"---\ndescription: &x d\nname: *x\ntools:\npermission: ask\nhooks: {Stop: []}\nmcp-servers: {db: {command: x}}\n---\n",
]
PIECES = st.sampled_from(
    [
        *(
            b"---",
            b"\n",
            b"\r",
            b": ",
            b"- ",
            b"#",
            b"'",
            b'"',
            b"[",
            b"]",
            b"{",
            b"}",
            b"&x ",
            b"*x",
            b"!!str ",
            b"|\n ",
        ),
        *(
            b"\t",
            b"\x00",
            b"\xff",
            b"\xe2\x80\xa8",
            b"\xc2\x85",
            b"<<: ",
            b"? ",
            b"tools: ",
            b"null",
            b", ",
            b"(",
            b")",
            b"*",
        ),
        *(b"<!-- fsagent: ignore[FA101] -->", b"# fsagent: ignore\n", b"\xd0\x90", b"---\n---\n", b"name: \n"),
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(start + 12, len(data))))
        data = data[:start] + draw(PIECES | st.just(data[start:end] * 2) | st.just(b"")) + data[end:]
    return data


AGENTS = [id for id in harness_ids() if "agent" in get_harness(id).kinds]
_OWN_LINE_COMMENT = re.compile(r"^[ \t]*(#.*)?[\r\n]+", re.MULTILINE)
_IGNORE = re.compile(r"[ \t]*# fsagent: ignore.*$", re.MULTILINE)
_TOP = re.compile(r"^(?=[^\s#\-\]}])", re.MULTILINE)


def survive(data: bytes, harness: str, target: str) -> None:
    """Fix, fix for another harness, and convert: whatever the file, what is promised of every file holds."""
    # --target refuses a harness whose agents are not markdown.
    goals = (None, target) if get_harness(target).kinds["agent"].is_convertible else (None,)
    for goal, unsafe in product(goals, (False, True)):
        fixed = repair(data, harness, goal, unsafe=unsafe)
        again = repair(fixed.data, harness, goal, unsafe=unsafe)
        assert again.data == fixed.data, "a second time changes something"
        # The proof may stop a fix, and says so; what is written has to settle.
        assert all(" was not applied: " in error for error in fixed.errors), fixed.errors
        if fixed.data == data:
            continue
        before, after = look(data, harness), look(fixed.data, goal or harness)
        was, now = before.document.source, after.document.source
        assert now.data[now.body :] == was.data[was.body :], "the body changes"
        others = _others(before.document, fixed.fixed), _others(after.document, fixed.fixed)
        assert None in others or others[0] == others[1], "another key changes"
        diff("a.md", data, fixed.data)
        if not unsafe:
            _check_policy(before, after)
    job = Job(get_harness(target), ".")
    refused = ""
    try:
        for _, agent in agents(Target("a.md", harness, "agent", False), data, job):
            convert_agent(agent, job)
    except UserError as error:
        refused = str(error)
    if get_harness(harness).kinds["agent"].is_convertible:
        assert refused == ""
    else:
        assert "are only checked" in refused


def _others(document: Document, fixed: Sequence[Finding]) -> list[str] | None:
    """The text of every key that no fix speaks of; None where keys and lines do not go together."""
    names = [entry.name for entry in document.entries]
    text, offset = document.source.yaml_text, document.source.yaml.start
    starts = [match.start() for match in _TOP.finditer(text)]
    if document.error is not None or [entry.start - offset for entry in document.entries] != starts:
        return None
    if any(finding.code < "FA1" for finding in fixed):
        return None
    touched = {key for finding in fixed if finding.fix for key in finding.fix.touches}
    # A comment between two keys belongs to neither, and one that suppresses nothing goes.
    values = (_IGNORE.sub("", text[start:end]) for start, end in pairwise([*starts, len(text)]))
    chunks = (_OWN_LINE_COMMENT.sub("", value).rstrip() for value in values)
    return [chunk for name, chunk in zip(names, chunks, strict=True) if name not in touched]


def _check_policy(before: Subject, after: Subject) -> None:
    same = before.harness is after.harness
    if same and before.effect.loads and before.effect.open:
        return
    had = {*before.effect.tools, *before.effect.ask} if same and before.effect.loads else set()
    gained = set(wider(after.effect, after.harness, bounds_of(before))) - had
    assert not gained, f"the agent gets {gained}"
