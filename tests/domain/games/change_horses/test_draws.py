"""Draws: labels, lists, and what of them stands in which event (sheet, Draws; contract, Chance)."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.games.change_horses import events as e
from domain.kernel.chance import derive_key, shuffle
from domain.kernel.lines import redact, wire
from domain.kernel.message import SERVER, Event
from tests.domain.games.change_horses.paddock import HORSES, table
from tests.kit.meetings import SEED, Played, as_default, seated
from tests.kit.spec import fork


def pieces(events: Sequence[Event]) -> dict[str, list[Any]]:
    """All that a log says of each draw."""
    found: dict[str, list[Any]] = {}
    for made in events:
        secret = made.secret(SERVER) or {}
        for draws in (made.draws or {}, secret.get("draws", {})):
            for label, piece in draws.items():
                assert label not in found, "each draw stands in one event"
                found[label] = list(piece)
    return found


def played_through(seats: int, **options: Any) -> Played:
    """A long meeting by defaults, its draws from the seed."""
    played = Played("change-horses", seats=seats, options={"finish": 24, **options})
    return seated(played, ["a", None, "c"]).play(as_default)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_draw_is_of_the_documented_list_under_the_documented_label(seats: int) -> None:
    """Draws: recomputed here from seed and nonces alone."""
    played = played_through(seats, races=2)
    nonces = ["a", "", "c", "", ""][:seats]
    key = derive_key(SEED, nonces)
    told = pieces(played.events)
    expected = set()
    for race in (1, 2):
        under = f"race-{race}"
        rounds = [
            made.round
            for made in played.events
            if isinstance(made, e.RoundOpened) and race_of(played, made) == race
        ]
        assert told[f"{under}/lanes"] == shuffle(key, f"{under}/lanes", HORSES)
        assert told[f"{under}/certificates"] == shuffle(key, f"{under}/certificates", HORSES)
        first = shuffle(key, f"{under}/positions", list(range(1, seats + 1)))
        assert told[f"{under}/positions"] == (first[:1] if seats == 2 else first)
        expected |= {f"{under}/{name}" for name in ("lanes", "certificates", "positions")}
        for number in rounds[1:] if seats > 2 else []:
            label = f"{under}/positions-{number}"
            assert told[label] == shuffle(key, label, list(range(2, seats + 1)))
            expected.add(label)
    assert set(told) == expected


def race_of(played: Played, event: Event) -> int:
    """The race in which an event stands."""
    number = 0
    for made in played.events:
        if type(made).__name__ == "RaceOpened":
            number += 1
        if made is event:
            break
    return number


def test_what_is_drawn_is_what_happens() -> None:
    """Draws: horses to lanes 1 to 6; certificates by seat, then the pile; numbers by seat."""
    played = seated(Played("change-horses", seats=4))
    told = pieces(played.events)
    t = table(played)
    assert [t.lanes[HORSES.index(horse)] for horse in told["race-1/lanes"]] == [1, 2, 3, 4, 5, 6]
    drawn = told["race-1/certificates"]
    assert [own[0] for own in t.certificates if own] == drawn[:4]
    assert t.pile == drawn[4:]
    assert list((t.positions or {}).values()) == told["race-1/positions"]


def test_where_the_first_item_decides_it_stands_alone() -> None:
    """Contract, Log; CH-2A"""
    told = pieces(seated(Played("change-horses", seats=2)).events)
    assert len(told["race-1/positions"]) == 1


def test_the_derby_draws_no_positions_but_the_first() -> None:
    """CH-D1"""
    told = pieces(played_through(4, turn_order="derby").events)
    assert set(told) == {"race-1/lanes", "race-1/certificates", "race-1/positions"}


@pytest.mark.parametrize("seats", [2, 5])
def test_no_viewer_sees_the_certificates_drawn(seats: int) -> None:
    """Contract, Log: what is drawn and hidden is with the server alone."""
    for made in played_through(seats).events:
        for viewer in range(seats + 1):
            known = redact(made, viewer)
            assert known is not None
            shown = wire(known, viewer, 1)
            assert "salt" not in str(shown)
            assert "/certificates" not in str(shown)


def test_no_draw_shifts_another() -> None:
    """Contract, Chance: play differs, what is drawn does not."""
    one = pieces(played_through(3, races=2).events)
    two = pieces(played_through(3, races=2, turn_order="derby").events)
    assert set(two) < set(one)
    for label, drawn in two.items():
        assert one[label] == drawn


# ------------------------------------------------------------- arranged


def test_arranged_items_come_first_and_the_rest_as_drawn() -> None:
    """Contract, Chance"""
    draws: dict[str, list[Any]] = {"race-1/lanes": ["blue", "red"], "race-1/positions-2": [4]}
    played = seated(Played("change-horses", seats=4, draws=draws)).play(
        as_default, until=lambda p: table(p).round == 3
    )
    natural = shuffle(derive_key(SEED, [""] * 4), "race-1/lanes", HORSES)
    rest = [horse for horse in natural if horse not in ("blue", "red")]
    told = pieces(played.events)
    assert told["race-1/lanes"] == ["blue", "red", *rest]
    assert told["race-1/positions-2"][0] == 4
    assert not any(made.arrangement_dropped for made in played.events)


def test_what_was_arranged_is_known_to_the_server_alone() -> None:
    """Contract, Chance"""
    played = seated(
        Played("change-horses", seats=3, draws={"race-1/certificates": ["red", "blue"]})
    )
    assert played.full.arranged
    for viewer in range(4):
        view = played.view(viewer)
        assert view.arranged
        assert view.arrangement == {}
        assert view.seed is None


def test_a_chance_made_anew_draws_the_same() -> None:
    """Contract, Chance: as after a restart."""
    played = seated(Played("change-horses", seats=4, draws={"race-1/positions-3": [3, 2]}))
    again = fork(played)
    assert pieces(played.play(as_default).events) == pieces(again.play(as_default).events)
