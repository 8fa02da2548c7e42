"""What the fuzzers share: files that are nearly right, and what must hold whatever is in them."""

from __future__ import annotations

from fixing import repair
from hypothesis import strategies as st

from fsagent_lint.convertrun import Job, agents, convert_agent
from fsagent_lint.diff import diff
from fsagent_lint.harness import get_harness, harness_ids
from fsagent_lint.source import Source
from fsagent_lint.target import Target

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


def survive(data: bytes, harness: str, target: str) -> None:
    """Fix, fix for another harness, and convert: the body stays, a second time changes nothing, nothing raises."""
    for goal, unsafe in ((None, False), (None, True), (target, False), (target, True)):
        fixed = repair(data, harness, goal, unsafe=unsafe).data
        assert repair(fixed, harness, goal, unsafe=unsafe).data == fixed
        before, after = Source("a.md", data), Source("a.md", fixed)
        assert fixed == data or after.data[after.body :] == before.data[before.body :]
        diff("a.md", data, fixed)
    job = Job(get_harness(target), ".")
    for _, agent in agents(Target("a.md", harness, "agent", False), data, job):
        convert_agent(agent, job)
