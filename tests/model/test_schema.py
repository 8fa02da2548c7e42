"""Plain data to records: what fits is taken as it is, and every error says where, what, and what would be right."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import pytest

from fsagent_lint._fast import NO_ENTRIES, Record
from fsagent_lint.errors import DataError
from fsagent_lint.model.schema import load_record


class Wheel(Record):
    size: int
    brand_name: str = ""


class Car(Record):
    name: str
    wheels: tuple[Wheel, ...] = ()
    colors: dict[str, tuple[str, ...]] = NO_ENTRIES
    kind: Literal["small", "large"] = "small"
    built: date | None = None
    fast: bool = False
    anything: Any = None


def message(data: object) -> str:
    with pytest.raises(DataError) as error:
        load_record(Car, data, "car.toml")
    return str(error.value)


def test_what_fits_is_taken() -> None:
    data = {
        "name": "A",
        "wheels": [{"size": 1, "brand-name": "B"}],
        "colors": {"red": ["dark"]},
        "kind": "large",
        "built": date(2026, 1, 2),
        "fast": True,
        "anything": {"x": [1]},
    }
    car = load_record(Car, data, "car.toml")
    assert (car.name, car.kind, car.built, car.fast) == ("A", "large", date(2026, 1, 2), True)
    assert (car.wheels[0].size, car.wheels[0].brand_name) == (1, "B")
    assert car.colors == {"red": ("dark",)}
    assert car.anything == {"x": [1]}


def test_what_is_not_given_has_its_default() -> None:
    car = load_record(Car, {"name": "A"}, "car.toml")
    assert (car.wheels, car.colors, car.kind, car.built, car.fast) == ((), {}, "small", None, False)


def test_a_record_cannot_be_changed() -> None:
    car = load_record(Car, {"name": "A"}, "car.toml")
    with pytest.raises(AttributeError):
        car.name = "B"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([], "car.toml: expected a table"),
        ({}, "car.toml: missing key 'name'"),
        ({"name": 1}, "car.toml.name: expected a string, got 1"),
        ({"name": "A", "fast": "yes"}, "car.toml.fast: expected true or false, got 'yes'"),
        ({"name": "A", "wheels": {}}, "car.toml.wheels: expected a list, got {}"),
        ({"name": "A", "wheels": [1]}, "car.toml.wheels[0]: expected a table"),
        ({"name": "A", "wheels": [{"size": 1}, {}]}, "car.toml.wheels[1]: missing key 'size'"),
        ({"name": "A", "wheels": [{"size": True}]}, "car.toml.wheels[0].size: expected a number, got True"),
        ({"name": "A", "colors": {"red": "dark"}}, "car.toml.colors.red: expected a list, got 'dark'"),
        ({"name": "A", "kind": "huge"}, "car.toml.kind: 'huge' is not one of small, large"),
        ({"name": "A", "built": "2026"}, "car.toml.built: expected a date, got '2026'"),
    ],
)
def test_an_error_says_where_what_and_what_would_be_right(data: object, expected: str) -> None:
    assert message(data) == expected


def test_an_unknown_key_is_answered_with_the_nearest_and_all_legal_ones() -> None:
    text = message({"name": "A", "whels": []})
    assert text.startswith("car.toml: unknown key 'whels'; did you mean 'wheels'? (known: anything, built,")


def test_an_unknown_key_that_is_like_no_other_gets_no_guess() -> None:
    assert "did you mean" not in message({"name": "A", "zzz": 1})


def test_keys_have_dashes() -> None:
    assert "unknown key 'brand_name'; did you mean 'brand-name'?" in message(
        {"name": "A", "wheels": [{"size": 1, "brand_name": "B"}]}
    )
    assert "(known: brand-name, size)" in message({"name": "A", "wheels": [{"size": 1, "x": 0}]})
