"""What a viewer may not know leaves no trace in any byte that it is sent (sheet, Hidden)."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.lines import redact, wire
from domain.kernel.message import PUBLIC
from tests.domain.games.ticket_gagnant.turf import dealt, hand_of, moving, predict
from tests.domain.games.ticket_gagnant.twins import Twins, seen
from tests.kit.meetings import as_default

STOPS = (1, 3, 4, 6, 9, 15, 24, 40, 10_000)


@pytest.mark.parametrize("viewer", range(4))
@pytest.mark.parametrize("stop", STOPS)
def test_twin_meetings_look_the_same_to_a_viewer(viewer: int, stop: int) -> None:
    """Hidden: hands, undealt cards, predictions until they are revealed; also at the end."""
    differing = 0
    for seed in range(4):
        hidden = {"kind": "harness", "deal": 3 + seed, "hidden": seed % 2 == 0}
        options: dict[str, Any] = {
            "wild": ("free", "printed")[seed // 2],
            "choice": [hidden] * 3 if seed else "first_player",
        }
        twins = Twins(viewer, 3, options, Random(f"{viewer} {stop} {seed}"), stop)
        one, other = seen(twins.one, viewer), seen(twins.other, viewer)
        assert len(one) == len(other)
        for step, (first, second) in enumerate(zip(one, other, strict=True)):
            assert first == second, step
        differing += twins.differ()
    assert differing >= 3


def test_hands_are_their_owners_alone() -> None:
    """Hidden"""
    played = dealt(3)
    deal = next(ev for ev in played.events if isinstance(ev, e.HandsDealt))
    for viewer in range(4):
        known = redact(deal, viewer)
        assert known is not None
        told = wire(known, viewer, 1)
        assert told.get("hand") == (hand_of(played, viewer) if viewer else None)
        assert set(told) <= {"version", "at", "meeting", "type", "count", "hand", "draws"}
        assert "draws" not in told


def test_undealt_cards_stand_nowhere() -> None:
    """Hidden (TG-S5): nobody ever sees them, not even in the log."""
    played = dealt(2, deal=3)
    deal = next(ev for ev in played.events if isinstance(ev, e.HandsDealt))
    assert deal.private
    assert len(deal.private["server"]["draws"]["race-1/deck"]) == 6
    text = msgspec.json.encode(deal).decode()
    assert sum(text.count(f'"{card}"') for card in ("wild", "red+yellow", "black-3")) == 0


def test_everything_but_hands_and_predictions_is_public() -> None:
    """Hidden"""
    played = moving(2, hidden=True).play(as_default)
    private = {type(ev) for ev in played.events if ev.private}
    assert {kind for kind in private if kind in e.EVENTS} == {e.HandsDealt, e.PredictionMade}
    assert all(ev.audience == PUBLIC for ev in played.events)
    assert [kind for kind in e.EVENTS if kind.known_to != PUBLIC] == []


def test_whose_predictions_are_in_is_public_and_what_they_are_is_not() -> None:
    """Hidden (TG-B1)"""
    one, other = dealt(3).give(2, predict("red")), dealt(3).give(2, predict("black", "blue"))
    for viewer in (0, 1, 3):
        assert seen(one, viewer) == seen(other, viewer)
    assert seen(one, 2) != seen(other, 2)
