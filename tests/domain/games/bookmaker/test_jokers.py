"""Jokers: turned (BM-J1) and played from a hand (BM-J2)."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker.track import turn
from domain.kernel.message import SERVER
from tests.kit.meetings import Played
from tests.kit.ring import at_bets, bet, declare, keep, raced, settle, steps, winning
from tests.kit.spec import board, event, fork, given

PLAY = c.PlayJoker()


def joker_race(run: list[str], hands: dict[int, list[str]] | None = None, **rest: Any) -> Played:
    """A joker race of four seats on these cards."""
    return raced(4, kind=rest.pop("kind", "joker"), run=run, hands=hands, **rest)


def cards(played: Played) -> list[tuple[str, str | None, bool]]:
    """(card, horse, moved) of each card turned."""
    return [(ev.card, ev.horse, ev.moved) for ev in played.events if isinstance(ev, e.CardTurned)]


def spaces(played: Played) -> list[int]:
    """Where the horses stand, red first."""
    return [horse["space"] for horse in board(played)["horses"]]


# ------------------------------------------------------------- turned


def test_a_turned_joker_moves_the_horse_of_the_card_before_it_one_further() -> None:
    """BM-J1"""
    played = joker_race(["blue-1", "red-1", "joker", "blue-2", *winning("green")])
    assert cards(played)[:4] == [
        ("blue-1", "blue", True),
        ("red-1", "red", True),
        ("joker", "red", True),
        ("blue-2", "blue", True),
    ]
    assert spaces(played)[:2] == [2, 2]


def test_joker_after_joker_repeats_the_same_horse() -> None:
    """BM-J1"""
    played = joker_race(["red-1", "joker", "joker", *winning("green")])
    assert cards(played)[:3] == [
        ("red-1", "red", True),
        ("joker", "red", True),
        ("joker", "red", True),
    ]
    assert spaces(played)[0] == 3


def test_a_joker_as_the_first_card_of_the_race_does_nothing() -> None:
    """BM-J1"""
    played = joker_race(["joker", "joker", "red-1", *winning("green")])
    assert cards(played)[:3] == [
        ("joker", None, False),
        ("joker", None, False),
        ("red-1", "red", True),
    ]
    first = next(ev for ev in played.events if isinstance(ev, e.CardTurned))
    assert first.space is None


def test_a_turned_joker_may_win() -> None:
    """BM-J1, BM-R1"""
    played = joker_race([*steps("red", 9), "joker", *winning("green")])
    last = played.events[-1]
    assert isinstance(last, e.RaceEnded)
    assert last.winner == "red"
    assert cards(played)[-1] == ("joker", "red", True)


def test_a_horse_that_is_out_is_not_moved_and_no_older_card_is_copied_instead() -> None:
    """BM-J1"""
    run = ["blue-1", "red-1", "joker", "red-2", "joker", *winning("green")]
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    played = joker_race(run, kind="joker_trot", tokens=tokens)
    assert cards(played)[:5] == [
        ("blue-1", "blue", True),
        ("red-1", "red", False),
        ("joker", "red", False),
        ("red-2", "red", False),
        ("joker", "red", False),
    ]
    assert spaces(played)[:2] == [0, 1]


def test_a_copied_horse_is_told_though_it_does_not_move() -> None:
    """BM-J1"""
    step = turn("joker", "red", {"red": 4, "blue": 0, "green": 0, "yellow": 0}, ["red"], [])
    assert (step.horse, step.moved, step.space) == ("red", False, 4)


# ------------------------------------------------------------- in a hand


def test_the_race_waits_after_a_card_that_moved_a_horse_while_a_joker_is_in_a_hand() -> None:
    """BM-J2"""
    played = joker_race(["blue-1", *winning("green")], {3: ["joker"]})
    assert [type(ev).__name__ for ev in played.events[-3:]] == [
        "RaceStarted",
        "CardTurned",
        "JokersAwaited",
    ]
    assert board(played)["phase"] == "race"
    assert cards(played) == [("blue-1", "blue", True)]


def test_who_is_waited_for_is_not_shown() -> None:
    """BM-J2 (Board)"""
    played = joker_race(["blue-1"], {3: ["joker"], 4: ["joker"]})
    assert [board(played, viewer)["to_act"] for viewer in range(5)] == [None, None, None, [3], [4]]
    assert [board(played, viewer)["decision"] is not None for viewer in range(1, 5)] == [
        False,
        False,
        True,
        True,
    ]


def test_a_played_joker_moves_the_horse_one_further_and_leaves_the_race() -> None:
    """BM-J2"""
    played = joker_race(["blue-1", "red-1", *winning("green")], {3: ["joker"]})
    after = (
        given(played)
        .when(3, PLAY)
        .then(
            event(e.JokerPlayed, seat=3, horse="blue", space=2),
            event(e.RaceResumed),
            event(e.CardTurned, card="red-1"),
            exactly=False,
        )
    )
    assert board(after)["phase"] == "settlement"
    assert spaces(after) == [1, 2, 10, 0]
    assert board(after)["seats"][2]["hand_count"] == 3
    assert "joker" not in board(after, 3)["seats"][2]["hand"]


def test_a_kept_joker_is_known_to_its_seat_alone_and_that_the_race_goes_on_to_all() -> None:
    """BM-J2 (contract, Versions)"""
    played = joker_race(["blue-1", "red-1"], {3: ["joker"]})
    after = (
        given(played)
        .when(3, keep())
        .then(
            event(e.JokerKept, seat=3, audience=(3,), command=UNSET),
            event(e.RaceResumed, audience="public", seat=UNSET, command=UNSET),
            event(e.CardTurned, card="red-1"),
            event(e.JokersAwaited),
        )
    )
    kept = after.events[-4]
    assert set(kept.private or {}) == {"3", SERVER}
    assert kept.secret(3) == {"command": {"type": "bookmaker.keep_joker"}}
    assert after.view(0).version == played.view(0).version + 3
    assert after.view(3).version == played.view(3).version + 4
    assert after.view(4).version == played.view(4).version + 3


def test_a_turned_joker_is_followed_too() -> None:
    """BM-J2"""
    played = joker_race(["blue-1", "joker", *winning("green")], {3: ["joker"]})
    played.give(3, keep())
    assert cards(played)[-1] == ("joker", "blue", True)
    after = given(played).when(3, PLAY).accepted()
    assert spaces(after)[1] == 3


def test_a_card_that_moves_no_horse_is_not_waited_for() -> None:
    """BM-J2"""
    run = ["joker", "red-1", "red-2", "blue-5", *winning("green")]
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    played = joker_race(run, {3: ["joker"]}, kind="joker_trot", tokens=tokens)
    assert cards(played) == [
        ("joker", None, False),
        ("red-1", "red", False),
        ("red-2", "red", False),
        ("blue-5", "blue", True),
    ]
    assert board(played, 3)["to_act"] == [3]


def test_a_card_that_ends_the_race_is_not_waited_for() -> None:
    """BM-J2"""
    played = joker_race(winning("green"), {3: ["joker"]})
    for _ in range(9):
        played.give(3, keep())
    assert board(played)["phase"] == "settlement"


def test_a_played_joker_may_win() -> None:
    """BM-J2"""
    played = joker_race(winning("green"), {3: ["joker"]})
    for _ in range(8):
        played.give(3, keep())
    given(played).when(3, PLAY).then(
        event(e.JokerPlayed, space=10), event(e.RaceEnded, winner="green", how="won")
    )


def test_two_jokers_may_follow_one_card() -> None:
    """BM-J2"""
    played = joker_race(["blue-1", *winning("green")], {3: ["joker"], 4: ["joker"]})
    half = given(played).when(4, PLAY).then(event(e.JokerPlayed, seat=4, horse="blue", space=2))
    after = (
        given(half)
        .when(3, PLAY)
        .then(
            event(e.JokerPlayed, seat=3, horse="blue", space=3), event(e.RaceResumed), exactly=False
        )
    )
    assert spaces(after)[1] == 3


def test_each_holder_is_waited_for() -> None:
    """BM-J2"""
    played = joker_race(["blue-1", "red-1"], {3: ["joker"], 4: ["joker"]})
    half = given(played).when(3, keep()).then(event(e.JokerKept, seat=3))
    assert board(half, 3)["to_act"] is None
    given(half).when(4, keep()).then(
        event(e.JokerKept, seat=4), event(e.RaceResumed), exactly=False
    )


def test_a_seat_that_plays_one_and_has_another_is_asked_again() -> None:
    """BM-J2"""
    played = joker_race(["blue-1", "red-1", *winning("green")], {3: ["joker", "joker"]})
    half = given(played).when(3, PLAY).then(event(e.JokerPlayed, seat=3, space=2))
    assert board(half, 3)["to_act"] == [3]
    again = (
        given(half)
        .when(3, PLAY)
        .then(event(e.JokerPlayed, space=3), event(e.RaceResumed), exactly=False)
    )
    assert board(again)["phase"] == "settlement"
    kept = (
        given(half)
        .when(3, keep())
        .then(event(e.JokerKept), event(e.RaceResumed), event(e.CardTurned), event(e.JokersAwaited))
    )
    given(kept).when(3, PLAY).accepted()


def test_one_keep_answers_for_both_jokers_of_a_hand() -> None:
    """BM-J2: keeping is final for this card."""
    played = joker_race(["blue-1", "red-1"], {3: ["joker", "joker"]})
    given(played).when(3, keep()).then(
        event(e.JokerKept), event(e.RaceResumed), event(e.CardTurned), event(e.JokersAwaited)
    )


def test_an_answer_is_final_for_this_card() -> None:
    """BM-J2 (Commands)"""
    played = joker_race(["blue-1", "red-1"], {3: ["joker"], 4: ["joker"]})
    kept = given(played).when(3, keep()).accepted()
    given(kept).when(3, PLAY).refused("already_done")
    given(kept).when(3, keep()).refused("already_done")
    given(kept).when(3, keep("blue", 5)).refused("already_done")
    played = given(played).when(3, PLAY).accepted()
    given(played).when(3, PLAY).refused("already_done")


def test_a_seat_without_a_joker_has_none_to_play_or_keep() -> None:
    """BM-J2 (Commands)"""
    played = joker_race(["blue-1"], {3: ["joker"]})
    given(played).when(4, PLAY).refused("no_joker", "BM-J2")
    given(played).when(4, keep()).refused("no_joker", "BM-J2")
    given(played).when(4, keep("blue", 99)).refused("no_joker", "BM-J2")


def test_a_seat_whose_joker_went_earlier_has_none() -> None:
    """BM-J2 (Commands)"""
    played = joker_race(["blue-1", "red-1"], {3: ["joker"], 4: ["joker"]})
    played.give(3, PLAY).give(4, keep())
    given(played).when(3, PLAY).refused("no_joker", "BM-J2")
    given(played).when(4, PLAY).accepted()


def test_while_no_joker_is_waited_for_there_is_nothing_to_answer() -> None:
    """BM-J2 (Commands)"""
    for position in (at_bets(4, kind="joker", hands={3: ["joker"]}), raced(4)):
        given(position).when(3, PLAY).refused("wrong_phase")
        given(position).when(3, keep()).refused("wrong_phase")
    running = raced(4, in_running=True)
    given(running).when(3, PLAY).refused("wrong_phase")


def test_a_played_joker_does_not_change_what_a_turned_joker_copies() -> None:
    """BM-J2"""
    run = ["blue-1", "red-1", "joker", *winning("green")]
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    played = joker_race(run, {3: ["joker"]}, kind="joker_trot", tokens=tokens)
    after = given(played).when(3, PLAY).accepted()
    assert cards(after)[1:3] == [("red-1", "red", False), ("joker", "red", False)]
    assert spaces(after)[:2] == [0, 2]


def test_the_bookmakers_play_jokers_like_anybody() -> None:
    """BM-J2"""
    played = raced(3, kind="joker", run=["blue-1", *winning("green")], hands={1: ["joker"]})
    given(played).when(1, PLAY).then(event(e.JokerPlayed, seat=1), exactly=False)


# ------------------------------------------------------------- until


def kept_until(horse: str, space: int, run: list[str], **rest: Any) -> Played:
    """Seat 3 keeps its only joker at the first card until this horse stands on this space."""
    played = joker_race(run, rest.pop("hands", {3: ["joker"]}), **rest)
    return given(played).when(3, keep(horse, space)).accepted()


def test_until_keeps_for_every_later_card_after_which_the_horse_stands_below() -> None:
    """BM-J2"""
    after = kept_until(
        "red", 3, ["blue-1", "red-1", "blue-2", "red-2", "blue-3", "red-3", "blue-4"]
    )
    assert [card for card, _, _ in cards(after)] == [
        "blue-1",
        "red-1",
        "blue-2",
        "red-2",
        "blue-3",
        "red-3",
    ]
    assert board(after, 3)["to_act"] == [3]
    given(after).when(3, PLAY).accepted()
    given(after).when(3, keep()).then(
        event(e.JokerKept), event(e.RaceResumed), event(e.CardTurned), event(e.JokersAwaited)
    )


def test_until_is_written_for_the_keeper_alone() -> None:
    """BM-J2"""
    after = kept_until("red", 3, ["blue-1", "red-1", "red-2", "red-3"])
    kept = next(ev for ev in after.events if isinstance(ev, e.JokerKept))
    assert kept.secret(3) == {
        "until": {"horse": "red", "space": 3},
        "command": {"type": "bookmaker.keep_joker", "until": {"horse": "red", "space": 3}},
    }


def test_the_public_is_told_the_same_whether_a_seat_keeps_by_an_until_or_card_by_card() -> None:
    """BM-J2: that a seat keeps is known to it alone."""
    start = joker_race(["blue-1", "red-1", "blue-2", "red-2", *winning("green")], {3: ["joker"]})
    once, often = fork(start), fork(start)
    once.give(3, keep("yellow", 10))
    while often.full.table.phase == "race":
        often.give(3, keep())
    told = [
        [
            (type(ev).__name__, getattr(ev, "card", None))
            for ev in played.events
            if ev.audience == "public"
        ]
        for played in (once, often)
    ]
    assert told[0] == told[1]


def test_until_space_10_keeps_for_the_whole_race() -> None:
    """BM-J2"""
    after = kept_until("yellow", 10, ["blue-1", *steps("yellow", 9), *winning("green")])
    assert board(after)["phase"] == "settlement"
    assert board(after, 3)["seats"][2]["hand"].count("joker") == 1


def test_until_a_horse_that_goes_out_before_is_never_reached() -> None:
    """BM-J2"""
    tokens = ["red-2", "yellow-10", "yellow-9", "yellow-8"]
    after = kept_until(
        "red", 2, ["red-1", "red-2", "blue-1", *winning("green")], kind="joker_trot", tokens=tokens
    )
    assert board(after)["phase"] == "settlement"


def test_an_until_that_was_reached_does_not_come_back_when_the_horse_goes_out_later() -> None:
    """BM-J2: the horse stands on the space or beyond; that it is out there changes nothing."""
    tokens = ["red-3", "yellow-10", "yellow-9", "yellow-8"]
    played = kept_until(
        "red",
        2,
        ["red-1", "red-2", "red-3", "blue-1", "blue-2"],
        kind="joker_trot",
        tokens=tokens,
    )
    assert [card for card, _, _ in cards(played)] == ["red-1", "red-2"]
    after = given(played).when(3, keep()).accepted()
    assert cards(after)[-2:] == [("red-3", "red", False), ("blue-1", "blue", True)]
    assert board(after, 3)["to_act"] == [3]
    given(after).when(3, PLAY).accepted()


def test_a_joker_played_by_another_reaches_an_until_only_with_the_next_card() -> None:
    """BM-J2: it keeps for a card after which the horse stands below that space."""
    played = joker_race(
        ["blue-1", "red-1", "green-5", *winning("green")[:4]], {3: ["joker"], 4: ["joker"]}
    )
    played.give(3, keep("red", 2)).give(4, keep())
    assert cards(played)[-1][0] == "red-1"
    given(played).when(3, PLAY).refused("already_done")
    after = (
        given(played)
        .when(4, PLAY)
        .then(
            event(e.JokerPlayed, horse="red", space=2),
            event(e.RaceResumed),
            event(e.CardTurned, card="green-5"),
            event(e.JokersAwaited),
        )
    )
    assert board(after, 3)["to_act"] == [3]


def test_until_cannot_be_withdrawn() -> None:
    """BM-J2 (Commands)"""
    played = joker_race(["blue-1", "red-1"], {3: ["joker"], 4: ["joker"]})
    played.give(3, keep("red", 5)).give(4, keep())
    assert board(played, 3)["to_act"] is None
    assert board(played, 3)["decision"] is None
    given(played).when(3, PLAY).refused("already_done")
    given(played).when(3, keep()).refused("already_done")


def test_an_until_covers_both_jokers_of_a_hand() -> None:
    """BM-J2"""
    after = kept_until("yellow", 10, ["blue-1", *winning("green")], hands={3: ["joker", "joker"]})
    assert board(after)["phase"] == "settlement"


def test_after_an_until_is_reached_another_may_be_named() -> None:
    """BM-J2"""
    played = kept_until("red", 1, ["blue-1", "red-1", "blue-2", "blue-3", *winning("green")])
    assert cards(played)[-1][0] == "red-1"
    after = given(played).when(3, keep("blue", 3)).accepted()
    assert cards(after)[-1][0] == "blue-3"
    assert board(after, 3)["to_act"] == [3]


@pytest.mark.parametrize("space", [1, 0, -3, 11, 10**20])
def test_until_names_a_space_ahead_of_the_horse_up_to_10(space: int) -> None:
    """BM-J2"""
    played = joker_race(["blue-1"], {3: ["joker"]})
    given(played).when(3, keep("blue", space)).refused("until_space", "BM-J2")
    given(played).when(3, keep("blue", 2)).accepted()
    given(played).when(3, keep("red", 1)).accepted()
    given(played).when(3, keep("red", 10)).accepted()


def test_until_names_a_horse_still_in() -> None:
    """BM-J2"""
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    played = joker_race(["red-1", "blue-1"], {3: ["joker"]}, kind="joker_trot", tokens=tokens)
    given(played).when(3, keep("red", 5)).refused("until_horse_out", "BM-J2")


def test_what_was_kept_is_forgotten_with_the_race() -> None:
    """BM-J2"""
    played = kept_until("yellow", 10, ["blue-1", *winning("green")])
    settle(played)
    assert played.full.table.untils == {}
    assert played.full.table.race == 2


def test_a_race_without_jokers_in_hands_does_not_wait() -> None:
    """BM-J2"""
    played = joker_race(["joker", "blue-1", "joker", *winning("green")])
    assert not [ev for ev in played.events if isinstance(ev, e.JokersAwaited)]
    assert board(played)["phase"] == "settlement"


def test_a_joker_that_changed_hands_is_asked_of_its_new_holder() -> None:
    """BM-J2, BM-D2"""
    played = at_bets(4, kind="joker", run=["blue-1"], hands={1: ["joker"]})
    assert "joker" in board(played, 2)["seats"][1]["hand"]
    declare(played, {3: bet(1, "red", 10)})
    assert [board(played, viewer)["to_act"] for viewer in range(5)] == [None, None, [2], None, None]
