"""Draws: labels, lists, and what of them stands in which event (sheet, Draws; contract, Chance)."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.games.tuyaux import events as e
from domain.kernel.chance import derive_key, shuffle
from domain.kernel.lines import redact, wire
from domain.kernel.message import SERVER, Event
from tests.domain.games.tuyaux.paddock import HORSES, bet_all, printed, race_deck, tips_of
from tests.kit.meetings import SEED, Played, as_default, seated


def pieces(events: Sequence[Event]) -> dict[str, list[Any]]:
    """All that a log says of each draw."""
    found: dict[str, list[Any]] = {}
    for event in events:
        secret = event.secret(SERVER) or {}
        for draws in (event.draws or {}, secret.get("draws", {})):
            for label, piece in draws.items():
                found.setdefault(label, []).extend(piece)
    return found


def played_through(seats: int) -> Played:
    """A meeting played by defaults, its draws from the seed."""
    played = seated(Played("tuyaux", seats=seats), ["a", None, "c"])
    return played.play(as_default)


@pytest.mark.parametrize("seats", [2, 5, 7])
def test_each_draw_is_of_the_documented_list_under_the_documented_label(seats: int) -> None:
    """Draws: recomputed here from seed and nonces alone."""
    played = played_through(seats)
    key = derive_key(SEED, ["a", "", "c", *[""] * 4][:seats])
    told = pieces(played.events)

    def draw(label: str, items: Sequence[Any]) -> list[Any]:
        whole = shuffle(key, label, items)
        assert told[label] == whole[: len(told[label])], label
        return whole

    draw("dealer", list(range(1, seats + 1)))
    expected = {"dealer"}
    for race in range(1, played.full.race + 1):
        under = f"race-{race}/"
        card = draw(under + "programme", list(printed()))[0]
        draw(under + "race-deck", race_deck(card))
        draw(under + "tips", tips_of(card))
        starters = printed()[card][0]
        assert len(told[under + "programme"]) == 1, "the first item decides, and stands alone"
        assert len(told[under + "race-deck"]) == starters
        assert len(told[under + "tips"]) == starters * seats
        expected |= {under + "programme", under + "race-deck", under + "tips"}
    assert set(told) == expected
    assert told["dealer"] == [played.events[seats + 2].draws["dealer"][0]]  # type: ignore[index]


def test_no_viewer_sees_an_item_that_is_not_used() -> None:
    """Contract, Log: the tips dealt are with the server, each hand with its owner."""
    for event in played_through(3).events:
        secret = event.secret(SERVER)
        if secret and "draws" in secret:
            assert isinstance(event, e.TipsDealt)
        for viewer in range(4):
            known = redact(event, viewer)
            assert known is not None, "every event of this game is public"
            shown = wire(known, viewer, 1)
            assert "salt" not in str(shown)
            if isinstance(event, e.TipsDealt):
                assert "draws" not in shown
                assert ("hand" in shown) == (viewer > 0)


def test_a_race_card_turned_is_recorded_with_its_draw() -> None:
    """Contract, Log"""
    for event in played_through(3).events:
        if isinstance(event, e.CardTurned):
            assert event.draws is not None
            assert [cards for cards in event.draws.values()] == [[event.card]]


def test_no_draw_shifts_another() -> None:
    """Contract, Chance: bets and tips differ, the draws do not."""
    one = seated(Played("tuyaux", seats=3)).play(as_default)
    two = seated(Played("tuyaux", seats=3))

    def last(played: Played, seat: int) -> Any:
        return played.game.actions(played.view(seat), seat).actions[-1]

    two.play(last)
    first, second = pieces(one.events), pieces(two.events)
    both = set(first) & set(second)
    assert len(both) > 4
    assert all(first[label] == second[label] for label in both)


def test_undealt_tips_are_in_no_event() -> None:
    """Hidden: nobody's, after the race too."""
    played = bet_all(seated(Played("tuyaux", seats=2)))
    (dealt,) = (event for event in played.events if isinstance(event, e.TipsDealt))
    card = played.full.table.programme.card
    starters = printed()[card][0]
    assert len((dealt.secret(SERVER) or {})["draws"]["race-1/tips"]) == 2 * starters
    assert 2 * starters < len(tips_of(card))
    assert set(played.full.table.programme.values) <= set(HORSES)
