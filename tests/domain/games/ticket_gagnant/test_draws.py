"""Draws: labels, lists, pieces; and what a host may arrange (sheet, Draws; contract, Chance)."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant.audit import audit
from domain.kernel.chance import derive_key, shuffle
from domain.kernel.lines import redact, wire
from domain.kernel.message import SERVER, Event
from domain.kernel.rejection import Malformed
from domain.registry import GAMES
from tests.domain.games.ticket_gagnant.turf import DECKS, GAME, HORSES, choose, spots
from tests.kit.meetings import SEED, Played, as_default, seated
from tests.kit.spec import board

NONCES = ("a", None, "c")


def pieces(events: Sequence[Event]) -> dict[str, list[Any]]:
    """All that a log says of each draw."""
    found: dict[str, list[Any]] = {}
    for event in events:
        secret = event.secret(SERVER) or {}
        for draws in (event.draws or {}, secret.get("draws", {})):
            for label, piece in draws.items():
                assert label not in found, "in one piece"
                found[label] = piece
    return found


@pytest.mark.parametrize("wild", ["free", "printed"])
@pytest.mark.parametrize("finish", ["draw", "rail"])
def test_each_draw_is_of_the_documented_list_under_the_documented_label(
    wild: str, finish: str
) -> None:
    """Draws: recomputed here from seed and nonces alone."""
    options = {"wild": wild, "photo_finish": finish, "races": 6}
    played = seated(Played(GAME, seats=3, options=options), NONCES).play(as_default)
    key = derive_key(SEED, ["a", "", "c"])
    told = pieces(played.events)
    assert told.pop("first_player") == shuffle(key, "first_player", [1, 2, 3])[:1]
    for race in range(1, 7):
        assert told.pop(f"race-{race}/lanes") == shuffle(key, f"race-{race}/lanes", HORSES)
        dealt = told.pop(f"race-{race}/deck")
        assert dealt == shuffle(key, f"race-{race}/deck", DECKS[wild])[: 3 * 5]
        if finish == "draw":
            label = f"race-{race}/photo-finish"
            assert told.pop(label) == shuffle(key, label, HORSES)
    assert not told


def test_no_viewer_sees_a_piece_of_the_deck() -> None:
    """Contract, Chance: no viewer sees an unused item, nor a hand that is not its own."""
    played = seated(Played(GAME, seats=2)).play(as_default)
    for event in played.events:
        for viewer in range(3):
            known = redact(event, viewer)
            assert known is not None
            assert not any("deck" in label for label in wire(known, viewer, 1).get("draws", {}))


def test_events_whose_outcome_was_drawn_carry_it() -> None:
    """Contract, Log"""
    played = seated(Played(GAME, seats=2)).play(as_default)
    drawn = {type(event) for event in played.events if event.draws}
    assert drawn == {e.FirstPlayerDrawn, e.LanesDrawn, e.PhotoFinishDrawn}


def test_a_draw_of_one_race_shifts_no_other() -> None:
    """Contract, Chance"""
    two = Played(GAME, seats=2, options={"photo_finish": "rail", "choice": "flat_only"})
    one, other = seated(Played(GAME, seats=2)), seated(two)
    one.play(as_default)
    other.play(as_default)
    lanes = [[ev.lanes for ev in p.events if isinstance(ev, e.LanesDrawn)] for p in (one, other)]
    assert lanes[0] == lanes[1]


# ---------------------------------------------------------------- arranged


def test_a_host_arranges_the_first_items_of_any_draw() -> None:
    """Contract, Chance: the rest in the order drawn."""
    draws: dict[str, list[Any]] = {
        "first_player": [2],
        "race-1/lanes": ["black", "red"],
        "race-1/deck": ["wild", "wild", "red-1", "blue+red"],
        "race-1/photo-finish": ["yellow"],
        "race-4/lanes": ["green"],
    }
    played = seated(Played(GAME, seats=2, draws=draws))
    assert board(played)["first_player"] == 2
    where = spots(played)
    assert (where["black"], where["red"]) == ((1, 1), (2, 1))
    played.give(2, choose(deal=3))
    hands = [seat["hand"] for seat in board(played, 2)["seats"]]
    assert hands[1] == ["wild", "wild", "red-1"]
    assert board(played, 1)["seats"][0]["hand"][0] == "blue+red"
    played.play(as_default)
    orders = [ev.order for ev in played.events if isinstance(ev, e.PhotoFinishDrawn)]
    assert orders[0][0] == "yellow"
    lanes = [ev.lanes for ev in played.events if isinstance(ev, e.LanesDrawn)]
    assert lanes[3][0] == "green"
    key = derive_key(SEED, ["", ""])
    rest = [h for h in shuffle(key, "race-1/lanes", HORSES) if h not in ("black", "red")]
    assert lanes[0] == ["black", "red", *rest]
    assert not any(event.arrangement_dropped for event in played.events)
    assert audit(played.events, played.chance) == []


def pointer(draws: dict[str, Any], seats: int = 2, **options: Any) -> str | None:
    """Where an arrangement is refused."""
    full = GAMES[GAME].read_options(options, seats)
    with pytest.raises(Malformed) as caught:
        GAMES[GAME].check_arranged(full, seats, draws)
    return caught.value.pointer


WRONG: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"first_player": [0]}, {}),
    ({"first_player": [3]}, {}),
    ({"first_player": ["1"]}, {}),
    ({"first_player": [True]}, {}),
    ({"first_player": [1, 1]}, {}),
    ({"first_player": [[1]]}, {}),
    ({"race-1/lanes": ["pink"]}, {}),
    ({"race-1/lanes": ["red", "red"]}, {}),
    ({"race-1/lanes": [*HORSES, "red"]}, {}),
    ({"race-1/deck": ["red-4"]}, {}),
    ({"race-1/deck": ["red-1", "red-1"]}, {}),
    ({"race-1/deck": ["wild"] * 4}, {}),
    ({"race-1/deck": ["wild-1"]}, {}),
    ({"race-1/deck": ["wild"]}, {"wild": "printed"}),
    ({"race-1/deck": ["wild-1", "wild-1"]}, {"wild": "printed"}),
    ({"race-1/deck": [None]}, {}),
    ({"race-1/photo-finish": ["red"]}, {"photo_finish": "rail"}),
    ({"race-1/photo-finish": [1]}, {}),
    ({"race-5/lanes": ["red"]}, {}),
    ({"race-0/lanes": ["red"]}, {}),
    ({"race-01/lanes": ["red"]}, {}),
    ({"race-/lanes": ["red"]}, {}),
    ({"race-1/turn": ["red"]}, {}),
    ({"race-1/river": [1]}, {}),
    ({"bookmaker": [1]}, {}),
    ({"": []}, {}),
]


@pytest.mark.parametrize(("draws", "options"), WRONG)
def test_what_can_not_be_drawn_is_a_400(draws: dict[str, Any], options: dict[str, Any]) -> None:
    """Contract, Chance: with a pointer."""
    label = next(iter(draws))
    escaped = label.replace("~", "~0").replace("/", "~1")
    assert pointer(draws, **options) == f"/arranged/draws/{escaped}"


def test_more_races_are_more_labels() -> None:
    """Draws"""
    check = GAMES[GAME].check_arranged
    check(GAMES[GAME].read_options({"races": 6}, 2), 2, {"race-6/lanes": ["red"]})
    check(GAMES[GAME].read_options({}, 6), 6, {"race-6/deck": ["wild"] * 3, "first_player": [6]})
    check(GAMES[GAME].read_options({"wild": "printed"}, 2), 2, {"race-1/deck": ["wild-3"]})


def test_a_whole_arranged_meeting_is_played_to_its_end() -> None:
    """Contract, Chance: no list here depends on another, so none is ever dropped."""
    draws = {"first_player": [1]} | {
        f"race-{n}/{name}": list(items)
        for n in range(1, 5)
        for name, items in (("lanes", HORSES), ("deck", DECKS["free"]), ("photo-finish", HORSES))
    }
    played = seated(Played(GAME, seats=2, draws=draws)).play(as_default)
    assert played.full.ranking is not None
    assert all(ev.lanes == list(HORSES) for ev in played.events if isinstance(ev, e.LanesDrawn))
    assert not any(event.arrangement_dropped for event in played.events)
