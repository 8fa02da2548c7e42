"""`python -m docgen.portable FOLDER`: our package and what it needs, as pure Python: for the browser, and inside the VS Code extension.

PyYAML does without libyaml there, and modules that use an agent SDK, which need libcst, are not read.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from docgen.compile_tables import compile_all
from fsagent_lint.harnesses.tables import COMPILED

ROOT = Path(__file__).parents[1]
NEEDED = ("click", "frontmatter", "packaging", "ruamel.yaml", "yaml")
FOR_EDITORS = ("attr", "attrs", "cattr", "cattrs", "jinja2", "lsprotocol", "markupsafe", "pygls", "typing_extensions")


def modules(needed: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The path and the content of each file."""
    yield from _files("fsagent_lint", ROOT / "fsagent_lint")
    for name, text in compile_all().items():
        yield f"{COMPILED.replace('.', '/')}/{name}", text.encode()
    for name in needed:
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        if spec.submodule_search_locations:
            yield from _files(name.replace(".", "/"), Path(spec.submodule_search_locations[0]))
        else:
            yield f"{name}.py", Path(spec.origin).read_bytes()


def _files(name: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml", ".txt", ".j2", ".css", ".js", ".html"):
            yield f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in modules((*NEEDED, *FOR_EDITORS)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
