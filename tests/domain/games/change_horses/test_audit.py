"""The audit finds draws, certificates, carrots, points that don't agree; verify all else."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.change_horses import events as e
from domain.games.change_horses.audit import audit
from domain.kernel.lines import canonical
from domain.kernel.message import SERVER, Event
from domain.racing.events import MeetingFinished, MeetingOpened, Rank
from domain.verification import verify
from tests.domain.games.change_horses.paddock import CHANGE, at_turns, bid, play_round
from tests.kit.meetings import Played, as_default, at_random, by_bots, chained, seated


def derby() -> Played:
    """A meeting with a change, bids and a seat that fails."""
    played = at_turns(3, turn_order="derby", finish=24).give(1, CHANGE)
    play_round(played).give(1, bid(33)).give(2, bid(1)).give(3, bid(2))
    return played.play(as_default)


@pytest.fixture(scope="module")
def meeting() -> Played:
    """One for all cases; it is not changed."""
    played = derby()
    kinds = {type(made) for made in played.events}
    assert {e.BidFailed, e.ChangePlayed, e.AuctionClosed, e.RaceEnded} <= kinds
    return played


def at(events: Sequence[Event], kind: type[Event]) -> int:
    """Where the first event of a kind stands."""
    return next(i for i, made in enumerate(events) if isinstance(made, kind))


def findings(played: Played, kind: type[Event], change: Callable[[Any], Event]) -> list[str]:
    """What the audit says when the first event of a kind is another."""
    events = list(played.events)
    i = at(events, kind)
    events[i] = change(events[i])
    return audit(events, played.chance)


def test_an_honest_log_has_no_findings(meeting: Played) -> None:
    """Contract, Log"""
    assert audit(meeting.events, meeting.chance) == []
    assert audit(meeting.events, None) == []


FORGERIES: list[Any] = [
    pytest.param(
        e.HorsesPlaced,
        lambda made: replace(made, draws={"race-1/lanes": made.lanes[::-1]}),
        "items are not those drawn",
        id="lanes",
    ),
    pytest.param(
        e.HorsesPlaced,
        lambda made: replace(made, draws={"race-2/lanes": made.lanes}),
        "no draw is due",
        id="a label of another race",
    ),
    pytest.param(
        e.CertificatesDealt,
        lambda made: replace(made, private={**made.private, "1": {"certificates": ["blue"]}}),
        "CH-S3",
        id="another certificate",
    ),
    pytest.param(e.CertificatesDealt, lambda made: replace(made, pile_count=2), "CH-S3", id="pile"),
    pytest.param(
        e.ChangePlayed,
        lambda made: replace(
            made, private={**made.private, "1": {"gave": "yellow", "took": "red"}}
        ),
        "CH-W4",
        id="not the top one",
    ),
    pytest.param(
        e.ChangePlayed,
        lambda made: replace(made, private={**made.private, "1": {"gave": "red", "took": "green"}}),
        "CH-W4",
        id="not the own one",
    ),
    pytest.param(e.BidFailed, lambda made: replace(made, carrots=5), "CH-D5", id="carrots kept"),
    pytest.param(
        e.AuctionClosed,
        lambda made: replace(made, paid={**made.paid, "1": 1}),
        "CH-D4",
        id="a bid not paid",
    ),
    pytest.param(
        e.RaceEnded,
        lambda made: replace(made, certificates={**made.certificates, "2": ["purple"]}),
        "CH-E6",
        id="another certificate revealed",
    ),
    pytest.param(
        e.RaceEnded,
        lambda made: replace(made, ranking=made.ranking[::-1]),
        "CH-E2",
        id="ranked from the front",
    ),
    pytest.param(
        e.RaceEnded, lambda made: replace(made, points=[9, 9, 9]), "CH-E6", id="other points"
    ),
    pytest.param(
        MeetingFinished,
        lambda made: replace(made, ranking=[Rank(seat=1, rank=1, points=7)]),
        "CH-E6",
        id="another ranking",
    ),
]


@pytest.mark.parametrize(("kind", "change", "word"), FORGERIES)
def test_what_was_forged_is_found(
    meeting: Played, kind: type[Event], change: Callable[[Any], Event], word: str
) -> None:
    """Draws, CH-S3, CH-W4, CH-D2, CH-D4, CH-D5, CH-E2, CH-E6"""
    found = findings(meeting, kind, change)
    assert any(word in finding for finding in found), found


def test_a_bid_of_more_than_there_is_is_found(meeting: Played) -> None:
    """CH-D2"""
    events = list(meeting.events)
    made, closed = at(events, e.BidMade), at(events, e.AuctionClosed)
    events[made] = replace(events[made], carrots=34)  # type: ignore[call-arg] # a bid
    paid = {**events[closed].paid, "1": 34}  # type: ignore[attr-defined] # the auction's end
    events[closed] = replace(events[closed], paid=paid)  # type: ignore[call-arg]
    assert any("CH-D2" in finding for finding in audit(events, meeting.chance))


def test_a_draw_made_twice_is_found(meeting: Played) -> None:
    """Contract, Chance"""
    events = list(meeting.events)
    placed = events[at(events, e.HorsesPlaced)]
    found = audit([*events[:5], placed, *events], meeting.chance)
    assert found, "and it does not begin twice without being noticed"


def test_a_log_without_its_beginning_is_no_log(meeting: Played) -> None:
    """Contract, Log"""
    assert audit(meeting.events[1:], None) == ["the log does not begin with meeting_opened"]
    assert isinstance(meeting.events[0], MeetingOpened)


# ------------------------------------------------------------- verify


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {"turn_order": "derby"}), (4, {"races": 2}), (5, {"turn_order": "derby"})],
)
def test_whole_logs_verify(seats: int, options: dict[str, Any]) -> None:
    """Contract, Log: decided anew, event by event."""
    played = seated(Played("change-horses", seats=seats, options=options), ("a", None, "b"))
    played.play(by_bots(Random(seats), ("random", "steady")))
    report = verify(played.lines())
    assert report.problems == []
    assert report.complete
    assert report.rules_checked


def changed_private(made: Event, seat: str, field: str, value: Any) -> Event:
    """The event with another secret of a seat."""
    assert made.private
    return replace(made, private={**made.private, seat: {**made.private[seat], field: value}})


def forged(played: Played, kind: type[Event], change: Callable[[Any], Event]) -> list[str]:
    """What verify says of a log forged and hashed anew."""
    events = list(played.events)
    i = at(events, kind)
    events[i] = change(events[i])
    report = verify(chained(canonical(made) for made in events))
    return [problem.what for problem in report.problems]


VERIFIED: list[Any] = [
    (e.CardsSelected, lambda made: changed_private(made, str(made.seat), "cards", ["blue+red"])),
    (e.CardsShown, lambda made: replace(made, cards={**made.cards, "1": ["blue+red"]})),
    (e.CardPlayed, lambda made: replace(made, card="red+yellow")),
    (e.HorsesMoved, lambda made: replace(made, moves=[])),
    (e.RoundOpened, lambda made: replace(made, select=2)),
    (e.BidMade, lambda made: replace(made, locked=not made.locked)),
    (e.BidMade, lambda made: replace(made, to_bid=1)),
    (e.BidFailed, lambda made: replace(made, seat=2)),
    (e.ChangePlayed, lambda made: changed_private(made, "1", "took", "purple")),
    (e.RaceEnded, lambda made: replace(made, how="crossed" if made.how == "rounds" else "rounds")),
    (e.CertificatesDealt, lambda made: changed_private(made, SERVER, "salt", "0" * 32)),
]


@pytest.mark.parametrize(("kind", "change"), VERIFIED)
def test_a_forged_story_does_not_verify(
    meeting: Played, kind: type[Event], change: Callable[[Any], Event]
) -> None:
    """Contract, Log"""
    assert forged(meeting, kind, change)


def test_slippery_given_in_the_other_order_is_decided_the_same() -> None:
    """CH-W2: the log has the listed order."""
    source = Random(4)
    played = seated(Played("change-horses", seats=4)).play(at_random(source))
    assert any(isinstance(made, e.SlipperyPlayed) for made in played.events)
    assert verify(played.lines()).problems == []
