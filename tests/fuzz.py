"""Coverage-guided fuzzing of reading, fixing and converting; what it finds becomes a test.

    pip install atheris && python tests/fuzz.py -max_total_time=600 [CORPUS]

The first two bytes choose the harnesses, the rest is the file. Options are those of libFuzzer.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["fsagent_lint"]):
    from fuzzing import AGENTS, SEEDS, survive


def one(data: bytes) -> None:
    if len(data) > 2:
        survive(data[2:], AGENTS[data[0] % len(AGENTS)], AGENTS[data[1] % len(AGENTS)])


if __name__ == "__main__":
    if "--seeds" in sys.argv:  # writes what to start from
        for number, seed in enumerate(SEEDS):
            for first in range(len(AGENTS)):
                name = f"{sys.argv[-1]}/{number}-{first}"
                with open(name, "wb") as file:
                    file.write(bytes([first, (first + number) % len(AGENTS)]) + seed)
    else:
        atheris.Setup(sys.argv, one)
        atheris.Fuzz()
