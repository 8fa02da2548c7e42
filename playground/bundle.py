"""What the playground loads, put beside the built site: Python for the browser, our package, and what it needs."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docgen.compile_tables import compile_all
from fsagent_lint.harnesses.tables import COMPILED

ROOT = Path(__file__).parents[1]
PYODIDE = "314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
NEEDED = ("click", "yaml", "ruamel.yaml", "frontmatter", "packaging")
"""All pure Python there: PyYAML does without libyaml, and modules of the SDK, which need libcst, are not read."""


def bundle(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _runtime(folder)
    with ZipFile(folder / "packages.zip", "w", ZIP_DEFLATED) as archive:
        for name, data in sorted(_modules()):
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


def _modules() -> Iterator[tuple[str, bytes]]:
    yield from _files("fsagent_lint", ROOT / "fsagent_lint")
    for name, text in compile_all().items():
        yield f"{COMPILED.replace('.', '/')}/{name}", text.encode()
    for file in ("__init__.py", "answers.py"):
        yield f"playground/{file}", (ROOT / "playground" / file).read_bytes()
    for name in NEEDED:
        spec = find_spec(name)
        assert spec is not None and spec.submodule_search_locations
        yield from _files(name.replace(".", "/"), Path(spec.submodule_search_locations[0]))


def _files(name: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.suffix in (".py", ".toml", ".txt"):
            yield f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes()
