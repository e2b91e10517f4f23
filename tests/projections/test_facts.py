"""How projections read the log."""

import msgspec
import pytest

from domain.racing.events import SHARED_EVENTS, MeetingOpened, SeatTaken
from projections.facts import Heading, UnknownFact, is_public, read_fact
from tests.kit.histories import Story

ALL = frozenset(SHARED_EVENTS)


def test_a_shared_event_that_is_handled_is_read_in_full() -> None:
    body = Story("m1").open(name="Derby").bodies()[0]
    fact = read_fact(body, ALL)
    assert isinstance(fact, MeetingOpened)
    assert (fact.meeting, fact.name, fact.seats) == ("m1", "Derby", 2)


def test_a_shared_event_that_is_not_handled_passes() -> None:
    body = Story("m1").open().bodies()[0]
    assert read_fact(body, frozenset({SeatTaken})) is None


def test_a_game_s_own_event_passes_whatever_is_in_it() -> None:
    body = b'{"audience":[2],"meeting":"m1","type":"anything.at_all","x":{"y":[1,"\\u20ac"]}}'
    assert read_fact(body, ALL) is None


def test_a_game_s_own_event_shows_its_heading_alone_where_that_is_asked_for() -> None:
    body = b'{"audience":[2],"meeting":"m1","hand":["ace"],"type":"anything.at_all"}'
    fact = read_fact(body, ALL, passing=True)
    assert fact == Heading(type="anything.at_all", meeting="m1", audience=(2,))
    assert not is_public(fact)


@pytest.mark.parametrize("passing", [False, True])
def test_an_unknown_shared_event_is_never_skipped(passing: bool) -> None:
    body = b'{"audience":"public","meeting":"m1","type":"horse_bolted"}'
    with pytest.raises(UnknownFact, match="horse_bolted"):
        read_fact(body, ALL, passing)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"meeting":"m1"}', b'{"type":"seat_taken","audience":"public"}']
)
def test_a_line_that_is_no_event_is_an_error(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_fact(body, ALL)


def test_fields_of_a_newer_release_are_read_over() -> None:
    body = Story("m1").open().bodies()[0][:-1] + b',"weather":"sun"}'
    assert isinstance(read_fact(body, ALL), MeetingOpened)
