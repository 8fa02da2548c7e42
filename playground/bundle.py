"""What the playground loads, put beside the built site: Python for the browser, our package, and what it needs."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docgen.portable import NEEDED, ROOT, modules

PYODIDE = "314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")


def bundle(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _runtime(folder)
    with ZipFile(folder / "packages.zip", "w", ZIP_DEFLATED) as archive:
        for name, data in _files():
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)  # the same bytes whenever it is built


def _runtime(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        command = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]
        subprocess.run(command, cwd=scratch, check=True, stdout=subprocess.DEVNULL)
        (packed,) = Path(scratch).glob("*.tgz")
        with tarfile.open(packed) as archive:
            for name in RUNTIME:
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                (folder / name).write_bytes(member.read())


def _files() -> Iterator[tuple[str, bytes]]:
    yield from modules(NEEDED)
    for file in ("__init__.py", "answers.py"):
        yield f"playground/{file}", (ROOT / "playground" / file).read_bytes()
