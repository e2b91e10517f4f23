"""Lists of actions: complete, exact, in order; samples with a schema; defaults."""

import json
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import comb
from random import Random

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET

from domain.games.change_horses import commands as c
from domain.kernel.message import Command, body_of
from domain.kernel.rejection import Malformed, Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    FAST,
    HORSES,
    PACK,
    STAND,
    at_turns,
    bid,
    card,
    change,
    pick,
    pick_all,
    play_round,
    race,
    stumble,
    table,
)
from tests.kit.meetings import Played, at_random, moment, seated
from tests.kit.walk import copy_of


def key(command: Command) -> bytes:
    """What tells commands apart, sets apart from their order."""
    body = body_of(command)
    if "cards" in body:
        body["cards"] = sorted(body["cards"])
    return msgspec.json.encode(body, order="sorted")


def every_command() -> Iterator[Command]:
    """Every command that could be legal anywhere but for picks: a second way of enumerating."""
    yield from (bid(n) for n in range(-1, 58))
    yield STAND
    yield FAST
    yield CHANGE
    yield from (change(horse) for horse in HORSES)
    yield from (stumble(name) for name in PACK)
    yield from (card(name) for name in PACK)
    sides: tuple[c.Sidestep, ...] = tuple(
        c.Sidestep(horse=horse, side=side)  # type: ignore[arg-type] # names of horses and sides
        for horse, side in product(HORSES, ("inside", "outside"))
    )
    for moves in product(sides, repeat=2):
        yield c.PlayWild(option="slippery", moves=list(moves))


EVERY = list(every_command())


def taken(played: Played, seat: int, command: Command) -> bytes | None:
    """The command as understood, where the rules take it in this position."""
    trial = copy_of(played.full, played.game)
    draft = Draft(trial, played.game, moment(played.clock), played.chance)
    try:
        lifecycle.decide(draft, seat, command)
    except (Rejected, Malformed):
        return None
    first = draft.events[0]
    body = first.command or (first.secret(seat) or {})["command"]
    return msgspec.json.encode(body, order="sorted")


@pytest.mark.parametrize(
    ("seats", "turn_order"),
    [(2, "basic"), (3, "basic"), (4, "derby"), (5, "derby"), (5, "basic")],
)
def test_what_is_listed_is_taken_and_nothing_else(seats: int, turn_order: str) -> None:
    """Contract, Actions: in random positions, against all there could be."""
    source = Random(f"{seats} {turn_order}")
    played = seated(Played("change-horses", seats=seats, options={"turn_order": turn_order}))
    looked = 0
    while played.full.status == "running" and looked < 12:
        if table(played).phase != "select" and source.random() < 0.2:
            looked += 1
            for seat in range(1, seats + 1):
                listing = played.game.actions(played.view(seat), seat)
                listed = {key(action) for action in listing.actions}
                assert len(listed) == len(listing.actions)
                assert listing.complete
                found = {body for command in EVERY if (body := taken(played, seat, command))}
                assert found == listed
        played.step(at_random(source))
    assert looked > 3


def test_every_set_of_three_of_fifteen_is_listed_once() -> None:
    """CH-R1: 455 of them."""
    played = race(4)
    listing = played.game.actions(played.view(2), 2)
    assert listing.complete
    wanted = [list(cards) for cards in combinations(PACK, 3)]
    assert [
        action.cards for action in listing.actions if isinstance(action, c.SelectCards)
    ] == wanted
    assert len(wanted) == comb(15, 3) == 455
    played.give(2, pick(*PACK[:3]))
    assert played.game.actions(played.view(2), 2).actions == []


def test_a_later_pick_lists_every_pair() -> None:
    """CH-R4, CH-2B"""
    played = play_round(play_round(at_turns(3)))
    listing = played.game.actions(played.view(1), 1)
    assert listing.actions == [pick(*pair) for pair in combinations(PACK[3:], 2)]
    two = play_round(pick_all(race(2)))
    listing = two.game.actions(two.view(2), 2)
    assert listing.complete
    assert listing.actions == [pick(*pair) for pair in combinations(PACK[4:], 2)]


def test_the_first_pick_of_two_seats_is_a_sample_with_a_schema() -> None:
    """Contract, Actions: more than 500."""
    played = race(2)
    listing = played.game.actions(played.view(1), 1)
    assert not listing.complete
    assert listing.schema is not None
    assert 50 <= len(listing.actions) <= 500
    shown = {name for a in listing.actions if isinstance(a, c.SelectCards) for name in a.cards}
    assert shown == set(PACK), "varied: every card is in one of them"
    default = played.game.default(played.view(1), 1)
    assert default in listing.actions
    Draft202012Validator.check_schema(listing.schema)
    valid = Draft202012Validator(listing.schema).is_valid
    for cards in combinations(PACK, 4):
        assert valid(body_of(pick(*cards)))
    assert valid(body_of(pick(*PACK[3::-1])))
    for wrong in (PACK[:3], PACK[:5], [*PACK[:3], PACK[0]], [*PACK[:3], "red+red"]):
        assert not valid(json.loads(msgspec.json.encode({**body_of(pick()), "cards": wrong})))
    assert not valid({**body_of(pick(*PACK[:4])), "type": "change-horses.bid"})
    assert not valid({**body_of(pick(*PACK[:4])), "card": PACK[0]})


def test_a_turn_lists_wild_horses_then_cards() -> None:
    """The sheet's order of commands."""
    played = at_turns(4).give(1, card(PACK[0]))
    listing = played.game.actions(played.view(2), 2)
    assert listing.complete
    assert listing.actions == [
        stumble(PACK[0]),
        FAST,
        CHANGE,
        card(PACK[0]),
        card(PACK[1]),
        card(PACK[2]),
    ]
    played.give(2, FAST)
    assert played.game.actions(played.view(2), 2).actions == [card(name) for name in PACK[:3]]


def test_a_card_of_which_several_lie_is_listed_once() -> None:
    """Contract, Actions: cards of one name."""
    played = at_turns(4).give(1, card(PACK[0])).give(2, card(PACK[0]))
    listed = played.game.actions(played.view(3), 3).actions
    assert listed.count(stumble(PACK[0])) == 1
    assert c.PlayWild(option="stumble", card=PACK[0], moves=UNSET) == stumble(PACK[0])


def test_the_auction_lists_every_number_and_standing() -> None:
    """CH-D2, CH-D3"""
    played = play_round(at_turns(3, turn_order="derby"))
    assert played.game.actions(played.view(1), 1).actions == [bid(n) for n in range(1, 34)]
    played.give(1, bid(3)).give(2, bid(5)).give(3, bid(4))
    assert played.full.table.phase == "auction"
    rest = [n for n in range(4, 34) if n not in (4, 5)]
    assert played.game.actions(played.view(1), 1).actions == [*(bid(n) for n in rest), STAND]


def test_a_seat_that_waits_has_no_action() -> None:
    """Contract, Actions"""
    played = at_turns(4)
    for seat in (2, 3, 4):
        listing = played.game.actions(played.view(seat), seat)
        assert (listing.actions, listing.complete, listing.schema) == ([], True, None)
        assert played.game.default(played.view(seat), seat) is None


def test_of_all_ordered_pairs_one_of_two_orders_is_listed() -> None:
    """CH-W2: see also the cases of slippery."""
    played = at_turns(3)
    played.give(1, FAST).give(1, card(PACK[0])).give(2, card(PACK[0])).give(3, card(PACK[1]))
    seat = played.game.waiting(played.full)[0]
    listed = [
        tuple((m.horse, m.side) for m in action.moves)
        for action in played.game.actions(played.view(seat), seat).actions
        if isinstance(action, c.PlayWild) and action.moves is not UNSET
    ]
    assert listed
    assert all(pair[::-1] not in listed for pair in listed)
    assert all(one[0] != other[0] for pair in listed for one, other in permutations(pair, 2))


# ------------------------------------------------------------- defaults


def test_the_default_pick_is_the_first_cards_of_the_hand() -> None:
    """Default on expiry"""
    played = race(4)
    assert played.game.default(played.view(1), 1) == pick(*PACK[:3])
    later = play_round(play_round(at_turns(3, {1: PACK[1:4]})))
    assert later.game.default(later.view(1), 1) == pick(PACK[0], PACK[4])
    two = race(2)
    assert two.game.default(two.view(2), 2) == pick(*PACK[:4])


def test_the_default_turn_is_the_first_shown_card_without_a_wild_horse() -> None:
    """Default on expiry"""
    played = at_turns(3, {1: [PACK[8], PACK[3], PACK[11]]})
    assert played.game.default(played.view(1), 1) == card(PACK[3])


def test_the_default_bid_is_the_lowest_and_then_to_stand() -> None:
    """Default on expiry"""
    played = play_round(at_turns(3, turn_order="derby")).give(1, bid(1))
    assert played.game.default(played.view(2), 2) == bid(2)
    played.give(2, bid(3)).give(3, bid(4))
    assert played.game.default(played.view(1), 1) == STAND
