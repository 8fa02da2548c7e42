"""Fuzzing of reading, fixing and converting, as much as you like; what it finds becomes a test.

    python tests/fuzz.py --files [FOLDER] [--rounds 20000] [--seed 1] [--finds DIR]
    pip install atheris && python tests/fuzz.py --seeds CORPUS
    python tests/fuzz.py -max_total_time=600 -max_len=4000 -dict=CORPUS.dict CORPUS

The first damages files: those of a folder, or the project's own, and in every fourth round a config, a harness table
or another file that a project may have. The seed and the number of a round decide what is tried, on every machine. The others are guided by coverage: their options are those of libFuzzer, the
first two bytes of an input choose the harnesses, and the rest is the file. Finds are printed, and kept in the folder
`finds`; neither stops at one. What takes longer than a few seconds is a find, too.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

MOST_SECONDS = 10
"""Of processor time, for all that is done with one file; it is damaged, but small."""


def _too_slow(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise TimeoutError(f"more than {MOST_SECONDS} seconds")


class Finds:
    """What went wrong, once for each way to go wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.seen = folder, set[str]()
        signal.signal(signal.SIGVTALRM, _too_slow)

    def try_out(self, survive: Callable[[], None], data: bytes, *about: str) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
        try:
            survive()
        except Exception as error:  # whatever it is, it is a find
            where = traceback.extract_tb(error.__traceback__)[-1]
            sign = f"{type(error).__name__} in {where.name}, line {where.lineno}: {str(error)[:120]}"
            if sign not in self.seen:
                self.seen.add(sign)
                self.folder.mkdir(exist_ok=True)
                name = hashlib.sha256(data).hexdigest()[:12]
                (self.folder / name).write_bytes(data)
                print(f"FOUND {name} {' '.join(about)}: {sign}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def try_agent(self, data: bytes, harness: str, target: str) -> None:
        from fuzzing import survive

        self.try_out(lambda: survive(data, harness, target), data, harness, target)

    def try_project(self, chance: random.Random) -> None:
        from damaged_projects import damaged_file, survive_project

        path, data = damaged_file(chance)
        self.try_out(lambda: survive_project(path, data), data, path)


def guided() -> None:
    import atheris

    with atheris.instrument_imports(include=["fsagent_lint"]):
        import fuzzing
    from damage import mutate, own_files

    files, finds = own_files(), Finds(Path("finds"))

    def one(data: bytes) -> None:
        if len(data) > 2:
            agents = fuzzing.AGENTS
            finds.try_agent(data[2:], agents[data[0] % len(agents)], agents[data[1] % len(agents)])

    def change(data: bytes, size: int, seed: int) -> bytes:
        """Half of the time as an editor would, else as libFuzzer does."""
        chance = random.Random(seed)
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(data, size))
        return (data[:2] + mutate(chance, [data[2:], *chance.choices(files, k=3)]))[:size]

    atheris.Setup(sys.argv, one, custom_mutator=change)
    atheris.Fuzz()


def write_seeds(folder: Path) -> None:
    """What coverage-guided fuzzing starts from: files of the project, and the words that matter in them."""
    from damage import ODD, own_files
    from fuzzing import AGENTS, SEEDS

    folder.mkdir(exist_ok=True)
    for number, text in enumerate((*SEEDS, *own_files()[::8])):
        choice = bytes((number % len(AGENTS), (number * 7 + 3) % len(AGENTS)))
        (folder / f"{number:05}").write_bytes(choice + text)
    words = sorted({*ODD, *(key.encode() for key in _keys())})
    escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in words)
    folder.with_suffix(".dict").write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")


def _keys() -> set[str]:
    """Every key and every tool that a table knows."""
    from fsagent_lint.harnesses.tables import get_harness, harness_ids

    tables = [get_harness(id) for id in harness_ids()]
    kinds = [kind for table in tables for kind in table.kinds.values()]
    return {name for table in tables for name in (*table.tools, *table.names)} | {
        f"{name}: " for kind in kinds for name in (*kind.keys, *kind.fields, *kind.wrong_keys)
    }


def damage(folder: str, rounds: int, seed: int, finds: Path) -> int:
    from damage import mutate, own_files
    from fuzzing import AGENTS

    paths = sorted(path for path in Path(folder).rglob("*.md") if path.is_file()) if folder else []
    files = [data for path in paths if 0 < len(data := path.read_bytes()) < 50_000] or own_files()
    found = Finds(finds)
    for number in range(rounds):
        chance = random.Random(f"{seed} {number}")
        if number % 4:
            found.try_agent(mutate(chance, files), chance.choice(AGENTS), chance.choice(AGENTS))
        else:
            found.try_project(chance)
    print(f"{rounds} rounds, agents made from {len(files)} files, {len(found.seen)} finds")
    return bool(found.seen)


if __name__ == "__main__":
    if "--seeds" in sys.argv:
        write_seeds(Path(sys.argv[-1]))
    elif "--files" in sys.argv:
        parser = argparse.ArgumentParser()
        parser.add_argument("--files", nargs="?", const="", metavar="FOLDER")
        parser.add_argument("--rounds", type=int, default=20_000)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--finds", type=Path, default=Path("finds"))
        chosen = parser.parse_args()
        raise SystemExit(damage(chosen.files, chosen.rounds, chosen.seed, chosen.finds))
    else:
        guided()
