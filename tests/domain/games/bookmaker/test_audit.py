"""The audit finds draws and money that chance and the ledger forbid, without the rules of play."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.bookmaker import events as e
from domain.games.bookmaker.audit import audit
from domain.kernel.message import SERVER, Event
from domain.racing.draft import chance_of
from domain.racing.events import MeetingFinished, RaceClosed
from tests.kit.meetings import Played, as_default, seated
from tests.kit.ring import PACK, meeting
from tests.kit.walk import Walk

OPTIONS = {"programme": ["plain", "joker", "trot", "joker_trot"], "brocco": True, "cash": 100}


@pytest.fixture(scope="module")
def played() -> Played:
    """A whole random meeting of all kinds, with loans and a pot."""
    walk = Walk(seated(Played(seats=4, options=OPTIONS), ("a", "b")), Random(3), looks=0)
    walk.checks = False
    return walk.run().played


def audited(events: Sequence[Event], played: Played) -> list[str]:
    """What the audit finds with the chance of the meeting."""
    return audit(events, chance_of(played.full))


def test_an_honest_log_has_no_findings(played: Played) -> None:
    """BM-P3"""
    assert audited(played.events, played) == []
    assert audit(played.events, None) == []


def test_a_deck_used_up_is_audited_through_its_passes() -> None:
    """BM-R2"""
    broken = ["red-1", "blue-1", "green-1"]
    rest = [card for card in PACK if not card.startswith("yellow")]
    for card in broken:
        rest.remove(card)
    run = [*broken, *(f"yellow-{n}" for n in range(2, 11)), *rest[:28]]
    tokens = [*broken, "red-10"]
    played = meeting(9, kind="trot", run=run, tokens=tokens).play(
        as_default, until=lambda p: p.full.race == 2
    )
    assert [ev for ev in played.events if isinstance(ev, e.DeckReshuffled)]
    assert audited(played.events, played) == []
    last = max(i for i, ev in enumerate(played.events) if isinstance(ev, e.CardTurned))
    turned = played.events[last]
    assert isinstance(turned, e.CardTurned)
    label = next(iter(turned.draws or {}))
    assert label.startswith("race-1/turn-")
    other = next(card for card in run if card != turned.card)
    forged = msgspec.structs.replace(turned, card=other, draws={label: [other]})
    found = audited([*played.events[:last], forged, *played.events[last + 1 :]], played)
    assert found == [f"seq {turned.seq}: {label}: the recorded items are not those drawn"]


def drawn(event: Event) -> dict[str, list[Any]]:
    """The pieces of an event, wherever they stand."""
    return event.draws or (event.secret(SERVER) or {}).get("draws", {})


def with_draws(event: Event, draws: dict[str, list[Any]]) -> Event:
    """The event with other pieces."""
    if event.draws:
        return msgspec.structs.replace(event, draws=draws)
    assert event.private
    secret = {**event.private[SERVER], "draws": draws}
    return msgspec.structs.replace(event, private={**event.private, SERVER: secret})


def test_every_piece_of_every_draw_is_recomputed(played: Played) -> None:
    """Contract, Chance: another item, or one too few before more, is found at once."""
    seen = set()
    for i, event in enumerate(played.events):
        for label, piece in drawn(event).items():
            seen.add(label)
            first: Any = 9 if label == "bookmaker" else "red-11"
            forged = with_draws(event, {label: [first, *piece[1:]]})
            events = [*played.events[:i], forged, *played.events[i + 1 :]]
            found = audited(events[: i + 1], played)
            assert any(line.startswith(f"seq {event.seq}: {label}") for line in found), label
    assert {"bookmaker", "brocco", "race-1/deck", "race-2/joker-deck", "race-3/trot"} <= seen
    assert "race-4/turn" in seen


def test_a_piece_of_another_race_is_found(played: Played) -> None:
    """Contract, Chance"""
    i = next(i for i, ev in enumerate(played.events) if isinstance(ev, e.CardTurned))
    event = with_draws(played.events[i], {"race-2/deck": ["red-1"]})
    assert any("no draw of race 1" in line for line in audited([*played.events[:i], event], played))


Forge = Callable[[Any], Any]
FORGERIES: list[tuple[type[Event], Forge]] = [
    (e.RaceSettled, lambda ev: msgspec.structs.replace(ev, nets=[ev.nets[0] + 10, *ev.nets[1:]])),
    (e.RaceSettled, lambda ev: msgspec.structs.replace(ev, payments=ev.payments[1:])),
    (e.BroccoNamed, lambda ev: msgspec.structs.replace(ev, amount=0)),
    (e.BroccoShared, lambda ev: msgspec.structs.replace(ev, shares={"1": 41})),
    (
        e.LoansRepaid,
        lambda ev: msgspec.structs.replace(
            ev,
            repayments=[e.Repayment(seat=r.seat, loan=r.loan, interest=0) for r in ev.repayments],
        ),
    ),
    (e.LoansRepaid, lambda ev: msgspec.structs.replace(ev, repayments=ev.repayments[1:])),
    (e.LoanTaken, lambda ev: msgspec.structs.replace(ev, amount=ev.amount + 10)),
    (e.BetPlaced, lambda ev: msgspec.structs.replace(ev, stake=ev.stake + 10)),
    (MeetingFinished, lambda ev: msgspec.structs.replace(ev, ranking=ev.ranking[1:])),
]


@pytest.mark.parametrize(("kind", "forge"), FORGERIES)
def test_money_that_does_not_add_up_is_found_by_the_end(
    kind: type[Event], forge: Forge, played: Played
) -> None:
    """BM-P1, BM-P2, BM-P3"""
    found = [
        i
        for i, ev in enumerate(played.events)
        if isinstance(ev, kind) and not (isinstance(ev, e.RaceSettled) and not ev.payments)
    ]
    assert found
    i = found[0]
    forged = forge(played.events[i])
    assert forged != played.events[i]
    assert audit([*played.events[:i], forged, *played.events[i + 1 :]], None)


def test_a_seat_left_below_0_by_a_settlement_is_found(played: Played) -> None:
    """BM-P1"""
    poor = meeting(2, cash=10).play(as_default)
    found = [i for i, ev in enumerate(poor.events) if isinstance(ev, e.RaceSettled) and ev.loans]
    i = found[0]
    forged = msgspec.structs.replace(poor.events[i], loans=[])
    assert any("below 0" in line for line in audit([*poor.events[:i], forged], None))


def test_what_is_no_log_is_told(played: Played) -> None:
    """Contract, Log"""
    assert audit(played.events[1:], None) == ["the log does not begin with meeting_opened"]
    assert audit([], None) == []
    closed = [ev for ev in played.events if isinstance(ev, RaceClosed)]
    assert len(closed) == 4
