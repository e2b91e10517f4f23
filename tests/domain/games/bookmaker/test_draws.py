"""Draws: labels, lists, and what of them stands in which event (sheet, Draws; contract, Chance)."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.kernel.chance import derive_key, shuffle
from domain.kernel.lines import redact, wire
from domain.kernel.message import SERVER, Event
from tests.kit.meetings import SEED, Played, as_default, seated
from tests.kit.ring import PACK, meeting
from tests.kit.spec import fork

JOKERS = ["joker", "joker"]


def pieces(events: Sequence[Event]) -> dict[str, list[Any]]:
    """All that a log says of each draw."""
    found: dict[str, list[Any]] = {}
    for event in events:
        secret = event.secret(SERVER) or {}
        for draws in (event.draws or {}, secret.get("draws", {})):
            for label, piece in draws.items():
                found.setdefault(label, []).extend(piece)
    return found


def played_through(kind: str, seats: int, **options: Any) -> Played:
    """A meeting played by defaults, its draws from the seed."""
    length = seats // 2 if seats >= 4 and seats % 2 == 0 else seats
    played = seated(
        Played(seats=seats, options={"programme": [kind] * length, **options}), ["a", None, "c"]
    )
    return played.play(as_default)


@pytest.mark.parametrize("kind", ["plain", "joker", "trot", "joker_trot"])
@pytest.mark.parametrize("brocco", [False, True])
def test_each_draw_is_of_the_documented_list_under_the_documented_label(
    kind: str, brocco: bool
) -> None:
    """Draws: recomputed here from seed and nonces alone."""
    played = played_through(kind, 5, brocco=brocco)
    key = derive_key(SEED, ["a", "", "c", "", ""])
    told = pieces(played.events)

    def draw(label: str, items: Sequence[Any]) -> list[Any]:
        whole = shuffle(key, label, items)
        assert told[label] == whole[: len(told[label])], label
        return whole

    expected = {"bookmaker"}
    draw("bookmaker", [1, 2, 3, 4, 5])
    pack = list(PACK)
    if brocco:
        expected.add("brocco")
        pack.remove(draw("brocco", pack)[0])
    for race in range(1, 6):
        deck = draw(f"race-{race}/deck", pack)
        labels = {f"race-{race}/deck"}
        behind = deck[4:]
        if "joker" in kind:
            labels.add(f"race-{race}/joker-deck")
            behind = draw(f"race-{race}/joker-deck", [*behind, *JOKERS])
        rest = behind[20:]
        if "trot" in kind:
            draw(f"race-{race}/trot", rest)
            turned = draw(f"race-{race}/turn", rest)
            labels |= {f"race-{race}/trot", f"race-{race}/turn"}
            number = 2
            while f"race-{race}/turn-{number}" in told:
                labels.add(f"race-{race}/turn-{number}")
                turned = draw(f"race-{race}/turn-{number}", turned)
                number += 1
        expected |= labels
    assert set(told) == expected


def test_where_the_first_item_decides_it_stands_alone() -> None:
    """Contract, Log"""
    told = pieces(played_through("plain", 4, brocco=True).events)
    assert len(told["bookmaker"]) == 1
    assert len(told["brocco"]) == 1


@pytest.mark.parametrize("kind", ["plain", "joker_trot"])
def test_no_viewer_sees_an_item_that_is_not_used(kind: str) -> None:
    """Contract, Log: what is drawn and hidden is with the server alone."""
    played = played_through(kind, 4, brocco=True)
    for event in played.events:
        secret = event.secret(SERVER)
        if secret and "draws" in secret:
            assert isinstance(event, e.HandsDealt | e.BroccoSetAside)
        for viewer in range(5):
            known = redact(event, viewer)
            if known is None:
                continue
            shown = wire(known, viewer, 1)
            if isinstance(event, e.HandsDealt | e.BroccoSetAside):
                assert "draws" not in shown
            assert "salt" not in str(shown)


def test_a_card_turned_is_recorded_with_its_draw() -> None:
    """Contract, Log"""
    for event in played_through("joker", 3).events:
        if isinstance(event, e.CardTurned):
            assert event.draws is not None
            assert [cards for cards in event.draws.values()] == [[event.card]]


def test_no_draw_shifts_another() -> None:
    """Contract, Chance: play differs, the decks do not."""
    one = seated(Played(seats=3)).play(as_default)
    two = seated(Played(seats=3))
    two.give(
        two.full.table.bookmakers[0], c.SetOdds(odds=c.AllOdds(red=9, blue=9, green=9, yellow=9))
    )
    two.play(as_default)
    first, second = pieces(one.events), pieces(two.events)
    for label in first:
        shorter = min(len(first[label]), len(second[label]))
        assert first[label][:shorter] == second[label][:shorter]


# ------------------------------------------------------------- arranged


def dropped(events: Sequence[Event]) -> list[tuple[str, list[str]]]:
    """Which events say that an arrangement was dropped, and of which labels."""
    return [
        (type(ev).__name__, list(ev.arrangement_dropped)) for ev in events if ev.arrangement_dropped
    ]


def test_arranged_items_come_first_and_the_rest_as_drawn() -> None:
    """Contract, Chance"""
    first = ["yellow-10", "yellow-10", "blue-3"]
    played = seated(Played(seats=4, draws={"race-2/deck": first}))
    played.play(as_default, until=lambda p: p.full.race == 2)
    natural = shuffle(derive_key(SEED, [""] * 4), "race-2/deck", PACK)
    for card in first:
        natural.remove(card)
    told = pieces(played.events)["race-2/deck"]
    assert told == [*first, *natural][: len(told)]
    assert dropped(played.events) == []


def test_a_list_that_does_not_fit_when_its_draw_comes_is_dropped_whole_and_told_once() -> None:
    """Contract, Chance: the deck is arranged in part, so an open card may stand in joker-deck."""
    natural = shuffle(derive_key(SEED, [""] * 4), "race-1/deck", PACK)
    card = natural[0]
    both = [card, card]
    draws = {"race-1/deck": [], "race-1/joker-deck": both}
    played = seated(Played(seats=4, options={"programme": ["joker"] * 2}, draws=draws))
    assert dropped(played.events) == [("HandsDealt", ["race-1/joker-deck"])]
    rest = [*natural[4:], *JOKERS]
    drawn = shuffle(derive_key(SEED, [""] * 4), "race-1/joker-deck", rest)
    assert pieces(played.events)["race-1/joker-deck"] == drawn[:16]
    again = fork(played)  # as after a restart: the chance is made anew
    again.play(as_default)
    assert dropped(again.events) == [("HandsDealt", ["race-1/joker-deck"])]
    assert (
        pieces(again.events)["race-1/joker-deck"]
        == drawn[: len(pieces(again.events)["race-1/joker-deck"])]
    )


def test_tokens_and_turns_that_do_not_fit_are_dropped_by_their_own_events() -> None:
    """Contract, Chance"""
    natural = shuffle(derive_key(SEED, [""] * 4), "race-1/deck", PACK)
    gone = natural[4]
    draws = {
        "race-1/deck": [],
        "race-1/trot": [gone, gone],
        "race-1/turn": [gone, gone],
    }
    played = seated(Played(seats=4, options={"programme": ["trot"] * 2}, draws=draws))
    played.play(as_default, until=lambda p: p.full.race == 2)
    assert dropped(played.events) == [
        ("TokensPlaced", ["race-1/trot"]),
        ("CardTurned", ["race-1/turn"]),
    ]


def test_what_was_arranged_is_known_to_the_server_alone() -> None:
    """Contract, Chance"""
    played = meeting(4, open_cards=["red-1"])
    assert played.full.arranged
    for viewer in range(5):
        view = played.view(viewer)
        assert view.arranged
        assert view.arrangement == {}
        assert view.seed is None
