"""What fixes make of every agent file that the project has, as checksums: a change of any is seen in review.

    python tests/fixes.py                compare with tests/fixes.txt
    python tests/fixes.py --update       write it again; look at what changed first:
    python tests/fixes.py --out FOLDER   keep the results, to compare those of two versions with `diff -r`

Each file is fixed in one of four ways (safely, with all fixes, for another harness, in another tool format), and once
more with CRLF or with a byte order mark. Way, harness and tool format change from file to file.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import get_args

from damage import OwnFile, named_files
from fixing import repair
from fuzzing import AGENTS

from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.choices import ToolFormat

EXPECTED = Path(__file__).with_name("fixes.txt")
FORMS = [form for form in get_args(ToolFormat) if form != "auto"]
BOM = "\ufeff".encode()


def results(file: OwnFile) -> Iterator[tuple[str, bytes]]:
    """What a file becomes, by the way it was fixed."""
    digest = hashlib.sha256(file.data).hexdigest()  # so that another file changes nothing for this one
    turn, choice = divmod(int(digest[:8], 16), 4)
    target, form = AGENTS[turn % len(AGENTS)], FORMS[turn % len(FORMS)]
    unsafe, goal, shape = [(False, None, "auto"), (True, None, "auto"), (True, target, "auto"), (False, None, form)][
        choice
    ]
    if goal and file.kind not in get_harness(goal).kinds:
        return
    variant = BOM + file.data if turn % 2 else file.data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    for name, data in (("as-it-is", file.data), ("bom" if turn % 2 else "crlf", variant)):
        yield f"{digest[:8]}.{name}", repair(data, file.harness, goal, shape, unsafe=unsafe, kind=file.kind).data


def group(name: str) -> list[tuple[str, bytes]]:
    return [result for file in named_files() if file.name == name for result in results(file)]


def checksum(results: list[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, data in results:
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    names = [name for name, _ in groupby(named_files(), lambda file: file.name)]
    with ProcessPoolExecutor() as pool:
        found = dict(zip(names, pool.map(group, names), strict=True))
    for name, written in found.items() if chosen.out else ():
        for way, data in written:
            path = chosen.out / name / f"{way}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    now = {name: checksum(written) for name, written in found.items()}
    if chosen.update:
        EXPECTED.write_text("".join(f"{digest} {name}\n" for name, digest in now.items()), encoding="ascii")
    lines = EXPECTED.read_text(encoding="ascii").splitlines()
    was = {name: digest for digest, _, name in (line.partition(" ") for line in lines)}
    changed = sorted(name for name in {*was, *now} if was.get(name) != now.get(name))
    print(
        f"{sum(map(len, found.values()))} results in {len(found)} groups, {len(changed)} changed", *changed, sep="\n  "
    )
    return bool(changed)


if __name__ == "__main__":
    raise SystemExit(main())
