"""Reading bodies: numbers, names, pointers."""

import math
from typing import Any

import pytest
from msgspec import UNSET, Struct, UnsetType

from domain.kernel.rejection import Malformed
from service.http.bodies import check_name, take
from service.http.decoding import canonical, decode, pointer, whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0", 1),
        ("1e1", 10),
        ("10.50e1", 105),
        ("-0.0", 0),
        ("0e99999999", 0),
        ("120e-1", 12),
        ("9007199254740993.0", 9007199254740993),
        ("1e20", 10**20),
        ("1.3", 1.3),
        ("0.1", 0.1),
        ("-2.5", -2.5),
    ],
)
def test_a_number_without_a_fraction_is_an_integer_however_it_is_written(
    text: str, value: float
) -> None:
    read = whole(text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize("text", ["2.00000000000000000001", "1e-400", "0.99999999999999999999"])
def test_a_fraction_never_passes_for_none(text: str) -> None:
    read = whole(text)
    assert isinstance(read, float)
    assert not read.is_integer()
    assert math.isclose(read, float(text), abs_tol=1e-9)


@pytest.mark.parametrize("text", ["1e309", "-1e400", "1.5e999999999999999999999"])
def test_a_number_too_large_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="too large"):
        whole(text)


def test_a_name_that_stands_twice_is_refused_wherever_it_is() -> None:
    for raw in (b'{"a":1,"a":1}', b'[{"x":{"b":[],"b":{}}}]'):
        with pytest.raises(Malformed) as refused:
            decode(raw)
        assert refused.value.pointer == ""
    assert decode(b'{"a":{"a":1},"b":{"a":1}}') == {"a": {"a": 1}, "b": {"a": 1}}


@pytest.mark.parametrize(
    ("raw", "at"),
    [
        (b'{"a":{"b/c":[1,{"d":1e400}]}}', "/a/b~1c/1/d"),
        (b"[0, [1.5, -1.0E+309], 1e999]", "/1/1"),
        (b"1e400", ""),
        (b'{"a":1e400,"b":[}', None),
        (b'{"a":', None),
        (b'{"a":"\\ud800","b":1e400}', None),
    ],
)
def test_a_number_too_large_is_pointed_at_wherever_it_stands(raw: bytes, at: str | None) -> None:
    with pytest.raises(Malformed) as refused:
        decode(raw)
    assert refused.value.pointer == at
    assert ("no JSON:" in refused.value.detail) == (at is None)


def test_the_same_body_written_otherwise_is_the_same() -> None:
    one = decode(b'{"b": 1e1, "a": [1.0, {"d": 1, "c": "\\u00e9"}]}')
    two = decode('{"a":[1,{"c":"é","d":1}],"b":10}'.encode())
    assert canonical(one) == canonical(two)


class Inner(Struct, forbid_unknown_fields=True, kw_only=True):
    red: int
    blue: int | UnsetType = UNSET


class Outer(Struct, forbid_unknown_fields=True, kw_only=True):
    one: Inner | UnsetType = UNSET
    many: list[Inner] | UnsetType = UNSET
    named: dict[str, list[Inner]] | UnsetType = UNSET


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ([], ""),
        ({"two": 1}, "/two"),
        ({"a/b~": 1}, "/a~1b~0"),
        ({"one": None}, "/one"),
        ({"one": {}}, "/one/red"),
        ({"one": {"red": True}}, "/one/red"),
        ({"one": {"red": 1, "x": 1}}, "/one/x"),
        ({"many": [{"red": 1}, {"red": "1"}]}, "/many/1/red"),
        ({"many": [{"red": 1}, {"blue": 1}]}, "/many/1/red"),
        ({"named": {"a": [], "b": 1}}, "/named/b"),
        ({"named": {"a/b": [{"red": 1}, {"red": 0.5}]}}, "/named/a~1b/1/red"),
    ],
)
def test_what_is_wrong_is_pointed_at(value: Any, at: str) -> None:
    with pytest.raises(Malformed) as refused:
        take(value, Outer)
    assert refused.value.pointer == at


@pytest.mark.parametrize(
    "name", ["` - at `$.x", "` - at `$[...]", "` - at `$.x[0]", "` - at `$[9][...]"]
)
def test_a_field_with_a_name_of_malice_is_refused_as_any_other(name: str) -> None:
    with pytest.raises(Malformed):
        take({name: 1}, Outer)


def test_a_pointer_escapes_what_it_must() -> None:
    assert pointer() == ""
    assert pointer("a/b", 3, "c~d") == "/a~1b/3/c~0d"


def test_a_name_is_told_as_it_is() -> None:
    assert check_name("Zoë 🏇") == "Zoë 🏇"
    with pytest.raises(Malformed):
        check_name("Zoe\u0308")
