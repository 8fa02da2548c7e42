"""A build hook: it adds the harness tables to the wheel as Python. A checkout reads the TOML."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledTables(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            from docgen.compile_tables import compile_all
            from fsagent_lint.harnesses.tables import COMPILED

            files = compile_all()
        finally:
            sys.path.remove(self.root)
        self.folder = tempfile.TemporaryDirectory()
        for name, text in files.items():
            path = Path(self.folder.name, name)
            path.write_text(text, encoding="utf-8", newline="\n")
            build_data["force_include"][str(path)] = f"{COMPILED.replace('.', '/')}/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if version != "editable":
            self.folder.cleanup()
