"""The compiled tables say what the TOML says, and are current."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from fsagent_lint import tables
from fsagent_lint.compile_tables import COMPILED, compile_all
from fsagent_lint.tables import FOLDER, builtin_harness, builtin_ids, module_name, read_table

STALE = "the compiled tables are not current: run `python -m fsagent_lint.compile_tables` and commit what it writes"


def table(id: str) -> bytes:
    return Path(FOLDER, f"{id}.toml").read_bytes()


def test_what_is_compiled_is_current() -> None:
    found = {name: Path(COMPILED, name).read_text("utf-8") for name in os.listdir(COMPILED) if name.endswith(".py")}
    del found["__init__.py"]
    assert found == compile_all(), STALE


@pytest.mark.parametrize("id", builtin_ids())
def test_compiled_tables_say_what_the_toml_says(id: str) -> None:
    compiled = import_module(f"fsagent_lint.compiled.{module_name(id)}").HARNESS
    assert repr(compiled) == repr(read_table(id, table(id)))
    assert builtin_harness(id) is compiled, STALE


def test_a_table_that_was_changed_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER, tmp_path / "tables")
    changed = tmp_path / "tables" / "opencode.toml"
    changed.write_bytes(table("opencode").replace(b'"OpenCode"', b'"OpenCode Next"'))
    (tmp_path / "tables" / "new.toml").write_bytes(table("opencode").replace(b'"opencode"', b'"new"'))
    monkeypatch.setattr(tables, "FOLDER", str(tmp_path / "tables"))
    load = builtin_harness.__wrapped__
    assert load("opencode").title == "OpenCode Next"
    assert load("new").id == "new"
    assert load("copilot") is builtin_harness("copilot")
