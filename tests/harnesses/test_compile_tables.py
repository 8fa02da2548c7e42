"""The tables as Python, as an installed package has them, say what the TOML says."""

from __future__ import annotations

import pytest

from docgen.compile_tables import compile_all, compile_table
from fsagent_lint.harnesses.tables import builtin_ids, module_name, read_table, table_source


@pytest.mark.parametrize("id", builtin_ids())
def test_a_compiled_table_says_what_the_toml_says(id: str) -> None:
    table = read_table(id, table_source(id))
    namespace: dict[str, object] = {}
    exec(compile_table(table), namespace)
    assert repr(namespace["HARNESS"]) == repr(table)


def test_every_table_is_compiled() -> None:
    assert set(compile_all()) == {"__init__.py", *(f"{module_name(id)}.py" for id in builtin_ids())}
