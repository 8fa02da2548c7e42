"""The index answers as the tables would, and loads none of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from fsagent_lint import index
from fsagent_lint.harness import Harness
from fsagent_lint.index import harnesses_with, outlines, owners_of_field, whole
from fsagent_lint.tables import get_harness, harness_ids, use_tables

TABLES = [get_harness(id) for id in harness_ids()]
NAMES = sorted({name for table in TABLES for name in (*table.tools, *table.names)})
FIELDS = sorted({(name, kind) for table in TABLES for kind, facts in table.kinds.items() for name in facts.fields})


@pytest.fixture(params=["compiled", "changed", "in force"])
def origin(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where a table comes from must not matter: from the index, from TOML, or from a config."""
    if request.param == "changed":
        monkeypatch.setattr(index, "_current", lambda: frozenset(("opencode", "vscode")))
    if request.param == "in force":
        use_tables({id: get_harness(id).replace() for id in ("opencode", "copilot")})
    yield str(request.param)
    use_tables({})


@pytest.mark.usefixtures("origin")
def test_outlines_say_what_the_tables_say() -> None:
    assert [outline.id for outline in outlines()] == list(harness_ids())
    for outline, table in zip(outlines(), TABLES, strict=True):
        assert repr(outline.mcp) == repr(table.mcp)
        assert repr(outline.discovers) == repr(table.discovers)
        assert list(outline.kinds) == list(table.kinds)
        for name, place in outline.kinds.items():
            kind = table.kinds[name]
            facts = (kind.globs, kind.identity, kind.shared_with, kind.read_by)
            assert (place.globs, place.identity, place.shared_with, place.read_by) == facts


def test_only_tables_that_the_index_does_not_know_are_loaded(origin: str) -> None:
    loaded = {outline.id for outline in outlines() if isinstance(outline, Harness)}
    assert (
        loaded
        == {
            "compiled": set(),
            "changed": set(harness_ids()) - {"opencode", "vscode"},
            "in force": {"opencode", "copilot"},
        }[origin]
    )
    assert [whole(outline).title for outline in outlines()] == [table.title for table in TABLES]


@pytest.mark.usefixtures("origin")
@pytest.mark.parametrize("spell", [str, str.upper, str.lower, lambda name: f"other/{name}"])
def test_every_harness_that_knows_a_name_is_found(spell: type[str]) -> None:
    for name in map(spell, NAMES):
        found = [harness.id for harness in harnesses_with(name)]
        knowing = {table.id for table in TABLES if table.lookup(name) is not None or name.lower() in table.spelling}
        assert knowing <= set(found), name
        assert found == [id for id in harness_ids() if id in found]


@pytest.mark.usefixtures("origin")
def test_a_name_that_nobody_knows_is_found_nowhere() -> None:
    assert harnesses_with("no-such-tool") == []


@pytest.mark.usefixtures("origin")
def test_owners_of_fields() -> None:
    for name, kind in FIELDS:
        meant = [
            table.id
            for table in TABLES
            if kind in table.kinds and name in table.kinds[kind].fields and table.kinds[kind].fields[name].meaning
        ]
        assert list(owners_of_field(name, kind)) == meant
    assert not list(owners_of_field("description", "no-such-kind"))


def test_questions_about_all_harnesses_load_no_table() -> None:
    code = """if True:
        import sys
        from fsagent_lint.index import harnesses_with, outlines, owners_of_field
        assert outlines() and not harnesses_with("no-such-tool") and list(owners_of_field("description", "agent"))
        print(*[name.rpartition(".")[2] for name in sys.modules if name.startswith("fsagent_lint.compiled.")])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == ["all_names", "all_outlines"]
