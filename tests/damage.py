"""Real files, damaged: what editing by hand, merging, copying and cutting off make of an agent file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from conformance.adapters import names
from conformance.recording import recordings
from fsagent_lint.rules import all_rules
from fsagent_lint.testing import unmark

HERE = Path(__file__).parent
ODD = [
    *(
        b"'",
        b'"',
        b":",
        b": ",
        b"- ",
        b"#",
        b" # x",
        b",",
        b"[",
        b"]",
        b"{",
        b"}",
        b"&a ",
        b"*a",
        b"!!str ",
        b"|",
        b">-",
    ),
    *(
        b"\t",
        b"\r",
        b"\x00",
        b"\xff",
        b"\xc2\x85",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xe2\x80\x8b",
        b"\xef\xbb\xbf",
        b"\x1b[",
    ),
    *(
        b"---",
        b"---\n",
        b"...\n",
        b"? ",
        b"<<: ",
        b"null",
        b"~",
        b"(",
        b")",
        b"*",
        b"%",
        b"@",
        b"`",
        b"\\",
        b"\xd0\x90",
    ),
    *(b"# fsagent: ignore[unknown-tool] x", b"tools: ", b"permission:\n  ", b"name: x\n", b"yes", b"false", b"deny"),
]


class OwnFile(NamedTuple):
    name: str
    harness: str
    kind: str
    data: bytes


@cache
def named_files() -> tuple[OwnFile, ...]:
    """The examples of the rules, and the files that were laid before harnesses."""
    found = [
        OwnFile(f"rules/{rule.name}", example.harness, example.kind, _encode(unmark(example.text)[0]))
        for rule in all_rules()
        for example in rule.examples
    ] + [
        OwnFile(f"truth/{name}.{id}", id, probe.kind, _encode(probe.text))
        for id in names()
        for name, recording in recordings(id).items()
        for probe, _ in recording.probes
    ]
    return tuple(file for file in found if 0 < len(file.data) < 3000)


@cache
def own_files() -> tuple[bytes, ...]:
    """Every agent file that the project has, once."""
    fixtures = (path.read_bytes() for path in sorted((HERE / "cli" / "fixtures").rglob("*.md")))
    return tuple(dict.fromkeys((*(file.data for file in named_files()), *fixtures)))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def mutate(random: Random, files: Sequence[bytes]) -> bytes:
    """One of the files with one to four kinds of damage, most of it in the frontmatter."""
    data = random.choice(files)
    for _ in range(random.randint(1, 4)):
        data = random.choice(_DAMAGES)(random, data, files)
    return data


def _head(data: bytes) -> int:
    """How much of a file is worth damaging."""
    end = data.find(b"\n---", 3)
    return min(len(data), 2000) if end < 0 else min(end + 8, len(data))


def _lines(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    """A line of the frontmatter is deleted, doubled, moved, or joined to the next."""
    head = _head(data)
    lines = data[:head].splitlines(keepends=True) or [b""]
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = lines[at].rstrip(b"\r\n")
    return b"".join(lines) + data[head:]


def _indentation(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    lines = data.split(b"\n")
    at = random.randrange(max(data[: _head(data)].count(b"\n"), 1))
    line = lines[at]
    lines[at] = random.choice((b" " + line, b"  " + line, b"\t" + line, line.lstrip(), line[1:], line + b"  "))
    return b"\n".join(lines)


def _quotes(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    """A word gets quotes, or loses one."""
    head = _head(data)
    at = random.randrange(head + 1)
    quote = random.choice((b"'", b'"'))
    found = data.find(quote, at, head)
    if found >= 0 and random.random() < 0.5:
        return data[:found] + random.choice((b"", b"'", b'"', quote * 2)) + data[found + 1 :]
    end = min(at + random.randrange(12), head)
    return data[:at] + quote + data[at:end] + random.choice((quote, b"")) + data[end:]


def _odd(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    at = random.randrange(_head(data) + 1)
    return data[:at] + random.choice(ODD) + data[at + random.choice((0, 0, 1)) :]


def _cut(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    """Cut off at any byte, or without a piece."""
    at = random.randrange(_head(data) + 1)
    return data[:at] if random.random() < 0.3 else data[:at] + data[at + random.randrange(20) :]


def _splice(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:
    """The beginning of one file and the end of another; or one's frontmatter with lines of another's."""
    other = random.choice(files)
    at, to = random.randrange(_head(data) + 1), random.randrange(_head(other) + 1)
    if random.random() < 0.5:
        return data[:at] + other[to:]
    at = data.find(b"\n", at) + 1
    lines = other[: _head(other)].splitlines(keepends=True) or [b""]
    start = random.randrange(len(lines))
    return data[:at] + b"".join(lines[start : start + random.randint(1, 4)]) + data[at:]


def _line_ends(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    ends = random.choice((b"\r\n", b"\r\n", b"\r"))
    if random.random() < 0.5:
        return data.replace(b"\r\n", b"\n").replace(b"\n", ends)
    at = random.randrange(_head(data) + 1)
    return data[:at] + data[at:].replace(b"\n", ends, random.randint(1, 3))


def _case(random: Random, data: bytes, files: Sequence[bytes]) -> bytes:  # noqa: ARG001
    at = random.randrange(_head(data) + 1)
    end = at + random.randrange(10)
    return data[:at] + data[at:end].swapcase() + data[end:]


_DAMAGES = (_lines, _lines, _indentation, _quotes, _odd, _odd, _cut, _splice, _line_ends, _case)
