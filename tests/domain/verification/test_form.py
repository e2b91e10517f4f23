"""The form of lines: RFC 8785 and nothing else, and an answer to whatever bytes there are."""

import math
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.lines import GENESIS, canonical, chain, join
from domain.verification import lines_of, verify
from domain.verification.form import is_audience, is_moment, odd_value
from tests.kit.forging import rechained
from tests.kit.meetings import chained
from tests.kit.recorded import recorded_fields, recorded_lines

NAME = "trot__all_out"

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
keys = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=8)
numbers = st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(-(10**6), 10**6).map(
    lambda tenths: tenths // 10 if tenths % 10 == 0 else tenths / 10
)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@given(value=values)
def test_what_lines_are_made_of_is_written_as_rfc_8785_wants_it(value: Any) -> None:
    """The canonical form of the log against another implementation."""
    assert odd_value(value) is None
    assert canonical(value) == rfc8785.dumps(value)


@given(value=st.floats())
def test_a_number_that_msgspec_may_write_otherwise_is_no_number_of_a_line(value: float) -> None:
    """Odds in tenths are written alike by both; all else is refused."""
    if odd_value({"odds": value}) is None:
        assert canonical(value) == rfc8785.dumps(value)
    else:
        assert not math.isfinite(value) or value.is_integer() or round(value * 10) / 10 != value


def with_first_line(body: bytes) -> list[bytes]:
    """A log whose first line has this body, all hashes made anew."""
    return [join(body, chain(GENESIS, body)) + b"\n"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"arranged"', b'{ "arranged"'),
        (b'"seats":2', b'"seats":2.0'),
        (b'"seats":2', b'"seats":2e0'),
        (b'"seats":2', b'"seats":20e-1'),
        (b'"seats":2', b'"seats":2,"seats":2'),
        (b'"seats":2', b'"seats":9007199254740993'),
        (b'"seats":2', b'"seats":2.25'),
        (b'"seats":2', b'"seats":-0'),
        (b'"seats":2', b'"seats":-0.0'),
        (b'"seats":2', b'"seats":NaN'),
        (b'"Spring Cup"', b'"Spring\\u0020Cup"'),
        (b'"Spring Cup"', b'"Spring\\/Cup"'),
        (b'"Spring Cup"', b'"Spring \\uD800"'),
        (b'"Spring Cup"', b'"Spring \xff"'),
        (b'"Spring Cup"', b'"Spring \xc3\xa9","\xc3\xa9":1'),
        (b'"host":"p-ann",', b""),
        (b'"seq":1', b'"seq":true'),
        (b'"seq":1', b'"seq":2'),
        (b'"audience":"public"', b'"audience":"all"'),
        (b'"audience":"public"', b'"audience":[2,1]'),
        (b'"audience":"public"', b'"audience":[0]'),
        (b'"audience":"public"', b'"audience":[1,true]'),
        (b'"at":"2026-05-01T14:00:00.000Z"', b'"at":"2026-05-01T14:00:00Z"'),
        (b'"at":"2026-05-01T14:00:00.000Z"', b'"at":"2026-05-01T16:00:00.000+02:00"'),
        (b'"at":"2026-05-01T14:00:00.000Z"', b'"at":"2026-02-30T14:00:00.000Z"'),
        (b'"at":"2026-05-01T14:00:00.000Z"', b'"at":1777644000'),
        (b'"type":"meeting_opened"', b'"type":1'),
        (b'"type":"meeting_opened"', b'"typf":"meeting_opened"'),
        (b'"meeting":"m-spring-cup"', b'"meeting":null'),
    ],
)
def test_a_line_written_in_any_other_form_is_a_fault(old: bytes, new: bytes) -> None:
    """Even if it says the same: a verifier hashes bytes as they stand."""
    (line, *others) = recorded_lines(NAME)
    body = line[: line.rindex(b',"hash"')] + b"}"
    assert old in body
    forged = body.replace(old, new)
    lines = with_first_line(forged)
    for other in others:
        rest = other[: other.rindex(b',"hash"')] + b"}"
        previous = lines[-1][-67:-3].decode()
        lines.append(join(rest, chain(previous, rest)) + b"\n")
    report = verify(lines)
    assert [problem.line for problem in report.problems] == [1]


@pytest.mark.parametrize("end", [b"\r\n", b"", b"\n\n", b" \n", b"\x00\n"])
def test_a_line_ends_in_lf_alone(end: bytes) -> None:
    """Not in CR LF, nothing, two."""
    data = b"".join(recorded_lines(NAME))
    first, rest = data.split(b"\n", 1)
    assert not verify(lines_of(first + end + rest)).ok
    assert not verify(lines_of(data[:-1] + end)).ok


def test_a_byte_order_mark_is_a_fault() -> None:
    """As any byte that does not belong."""
    assert not verify(lines_of(b"\xef\xbb\xbf" + b"".join(recorded_lines(NAME)))).ok


def test_lines_are_split_at_lf_alone() -> None:
    """Python's own splitting knows other line ends, which stand in names as they are."""
    assert lines_of(b"a\rb\x0b\x0c\x85\n\nc") == [b"a\rb\x0b\x0c\x85\n", b"\n", b"c"]
    assert lines_of(b"a\n") == [b"a\n"]
    assert lines_of(b"") == []


@given(data=st.binary(max_size=300))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    """And it is no."""
    assert not verify(lines_of(data)).ok


@given(objects=st.lists(values, min_size=1, max_size=4))
def test_any_json_with_a_whole_chain_gets_an_answer(objects: list[Any]) -> None:
    """And it is no."""
    bodies = (canonical(value) for value in objects)
    lines = chained(body if body.endswith(b"}") else b'{"x":' + body + b"}" for body in bodies)
    assert not verify(lines).ok


events = recorded_fields(NAME)
places = st.sampled_from([(i, key) for i, event in enumerate(events) for key in event])


@given(place=places, value=values)
def test_any_json_in_any_field_gets_an_answer(place: tuple[int, str], value: Any) -> None:
    """Whatever a forger writes there, `verify` reports and does not fail."""
    index, key = place
    forged = [*events[:index], {**events[index], key: value}, *events[index + 1 :]]
    report = verify(rechained(forged))
    assert report.facts.events == len(events)


def test_deep_nesting_gets_an_answer() -> None:
    """No recursion fails."""
    for depth in (500, 900, 1_200, 100_000):
        body = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
        assert not verify(with_first_line(body)).ok
        forged = recorded_fields(NAME)
        body = canonical(forged[0]).replace(b'"name":"Spring Cup"', b'"name":' + body)
        assert not verify([*with_first_line(body), *recorded_lines(NAME)[1:]]).ok


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("public", True),
        ([], True),
        ([1], True),
        ([1, 2, 9], True),
        ([2, 1], False),
        ([1, 1], False),
        ([True], False),
        (["1"], False),
        ("all", False),
        (None, False),
        ({}, False),
    ],
)
def test_an_audience_is_public_or_seats_ascending(value: Any, is_one: bool) -> None:
    """Contract, Log."""
    assert is_audience(value) is is_one


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("2026-05-01T14:00:00.000Z", True),
        ("2024-02-29T23:59:59.999Z", True),
        ("2026-02-29T14:00:00.000Z", False),
        ("2026-05-01T24:00:00.000Z", False),
        ("2026-05-01T14:00:60.000Z", False),
        ("2026-05-01T14:00:00.000z", False),
        ("2026-05-01 14:00:00.000Z", False),
        ("2026-05-01T14:00:00.000Z\n", False),
        ("٢026-05-01T14:00:00.000Z", False),
        (5, False),
        (None, False),
    ],
)
def test_a_time_is_rfc_3339_in_utc_with_milliseconds(value: Any, is_one: bool) -> None:
    """Contract, Names."""
    assert is_moment(value) is is_one


def test_msgspec_reads_what_it_wrote() -> None:
    """The check of the form rests on it."""
    for line in recorded_lines(NAME):
        body = line[: line.rindex(b',"hash"')] + b"}"
        assert canonical(msgspec.json.decode(body)) == body
