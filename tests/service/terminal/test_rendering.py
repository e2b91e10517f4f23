"""Boards and events as people see them in a terminal, over whole meetings of every kind."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from rich.text import Text

from domain.games.bookmaker.events import EVENTS
from domain.kernel.lines import redact, wire
from domain.kernel.message import type_of
from domain.racing.meeting import RUNNING
from domain.registry import GAMES
from service.simulation import LocalMeeting
from service.terminal import plain
from service.terminal.plain import names_of
from service.terminal.rendering import renderer
from tests.kit.meetings import Played
from tests.kit.ring import at_bets, bet, meeting, raced, settle, steps
from tests.kit.terminal import board_of, shown

OPTIONS: list[dict[str, Any]] = [
    {},
    {"programme": ["joker_trot", "trot", "joker", "plain"], "odds_step": 0.1, "brocco": True},
    {"programme": ["joker", "trot"], "in_running": True, "odds_step": 0.5},
]

SILENT = {
    "meeting_opened": "seats are told as they are taken",
    "race_closed": "the settlement is told",
    "bookmaker.roles_drawn": "the race's bookmakers are told with its cards",
    "bookmaker.brocco_set_aside": "nothing is seen of it",
    "bookmaker.exchange_chosen": "the exchange itself is told",
    "bookmaker.odds_opened": "the open books are told",
    "bookmaker.odds_set": "the open books are told",
    "bookmaker.jokers_awaited": "whoever holds a joker is asked",
    "bookmaker.race_resumed": "the next card is told",
    "bookmaker.brocco_opened": "each seat is asked",
    "bookmaker.settlement_opened": "the settlement is told",
}
"""Events that are not worth a line, and why."""


def whole_meeting(options: Mapping[str, Any], seats: int = 4) -> LocalMeeting:
    """A meeting of random bots, to be played step by step."""
    game = GAMES["bookmaker"]
    local = LocalMeeting(
        game, options=game.read_options(options, seats), seats=seats, seed=bytes(range(32))
    )
    for seat in range(1, seats + 1):
        local.sit(seat, "Random", "random")
    local.start()
    return local


@pytest.mark.parametrize("options", OPTIONS)
def test_whole_meetings_are_told_and_drawn_for_every_viewer(options: dict[str, Any]) -> None:
    """Each event of each feed has its line or is silent on purpose; every third board is drawn."""
    local = whole_meeting(options)
    drawn = renderer("bookmaker")
    bots = {seat: local.game.bots["random"] for seat in range(1, 5)}
    choosers = {seat: Random(seat) for seat in bots}
    told, at, versions = set(), 0, dict.fromkeys(range(5), 0)
    while True:
        for viewer in range(5):
            names = names_of(board_of(local, viewer))
            for event in local.events[at:]:
                known = redact(event, viewer)
                if known is None:
                    continue
                versions[viewer] += 1
                form = wire(known, viewer, versions[viewer])
                line = drawn.told(form, names)
                assert drawn.seconds(form) >= 0
                if line is None:
                    assert form["type"] in SILENT, form
                else:
                    assert line.plain.strip()
                    told.add(form["type"])
        at = len(local.events)
        if local.moves % 3 == 0:
            board = board_of(local, local.moves % 5)
            text = shown(drawn.board(board))
            assert f"race {board['race']} of {board['races']}" in text
            assert all(f"{place['cash']:,}" in text for place in board["seats"])
        if local.full.status != RUNNING or not local.step(bots, choosers):
            break
    assert local.full.status != RUNNING
    assert {"race_opened", "bookmaker.card_turned", "bookmaker.race_settled"} <= told
    final = board_of(local)
    assert "Ranking" in shown(drawn.board(final))
    assert all(agrees for _, agrees in drawn.checks(final))


def test_every_event_of_the_game_is_told_or_silent_on_purpose() -> None:
    names = {seat: f"seat {seat}" for seat in range(1, 5)}
    telling = renderer("bookmaker").told
    for kind in EVENTS:
        name = type_of(kind)
        try:
            line = telling({"type": name}, names)
        except KeyError:  # it is told, and misses the event's fields here
            line = Text("told")
        assert (line is None) == (name in SILENT), name


def test_horses_stand_on_their_lanes() -> None:
    played = raced(4, run=[*steps("red", 3), *steps("green", 10)])
    lanes = shown(renderer("bookmaker").board(board_of(played))).splitlines()
    red = next(line for line in lanes if line.startswith("red "))
    assert red.split() == ["red", ".", ".", ".", "R", *["."] * 6, "|", "3"]
    green = next(line for line in lanes if line.startswith("green "))
    assert green.split() == ["green", *["."] * 10, "G", "wins"]


def test_tokens_and_horses_that_are_out_are_seen() -> None:
    tokens = ["red-2", "green-9", "green-10", "yellow-9"]
    played = raced(4, kind="trot", tokens=tokens, run=["red-5", "red-2", *steps("blue", 10)])
    lanes = shown(renderer("bookmaker").board(board_of(played))).splitlines()
    red = next(line for line in lanes if line.startswith("red "))
    assert red.split() == ["red", ".", "R", "*", *["."] * 7, "|", "out"]
    assert next(line for line in lanes if line.startswith("green ")).count("*") == 2


def test_odds_bets_and_money_are_seen() -> None:
    played = at_bets(4, books=[(4, 3, 2, 1), (3, 3, 2, 2)], limit=50)
    played.give(3, bet(1, "red", 50)).give(4, bet(2, "blue", 300))
    text = shown(renderer("bookmaker").board(board_of(played)))
    assert "seat 1    4     3      2       1  red 50, blue 50, green 50, yellow 50" in text
    bets = [line.split() for line in text.splitlines() if line.rstrip().endswith(("ted", "ing"))]
    assert ["1", "3", "1", "red", "50", "4", "accepted"] in bets
    assert ["2", "4", "2", "blue", "300", "3", "waiting"] in bets
    assert "1,050" in text
    assert "950" in text


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    played = meeting(4, hands={1: ["red-1"], 2: ["blue-2"]})
    own = shown(renderer("bookmaker").board(board_of(played, 1)))
    assert "red-1" in own
    assert "blue-2" not in own
    assert "red-1" not in shown(renderer("bookmaker").board(board_of(played)))


def test_names_of_people_are_never_read_as_markup() -> None:
    played = Played(seats=2).sit(1, "[bold]Ann[/bold]").sit(2, "[/]").begin()
    for drawn in (renderer("bookmaker").board, plain.board):
        text = shown(drawn(board_of(played)))
        assert "[bold]Ann[/bold]" in text
        assert "[/]" in text
    line = renderer("bookmaker").told(
        {"type": "bookmaker.done_declared", "seat": 2}, names_of(board_of(played))
    )
    assert line is not None
    assert "[/]" in shown(line)


def test_beside_a_name_stand_the_first_characters_of_the_id() -> None:
    """Names are not unique (contract, Names)."""
    names = names_of(board_of(Played(seats=2).sit(1, "Ann")))
    assert names == {1: "seat 1 (Ann p-ann)", 2: "seat 2 (free)"}


def test_sums_that_do_not_agree_are_found() -> None:
    """BM-P3"""
    local = whole_meeting({})
    bots = {seat: local.game.bots["random"] for seat in range(1, 5)}
    while local.step(bots, {seat: Random(seat) for seat in bots}):
        pass
    checks = renderer("bookmaker").checks
    good = board_of(local)
    assert [agrees for _, agrees in checks(good)] == [True, True, True]
    good["ledger"][0]["amount"] += 10
    assert not checks(good)[0][1]
    lent = board_of(local)
    lent["bank"]["lent"] += 10
    assert not checks(lent)[1][1]
    ranked = board_of(local)
    ranked["ranking"][0]["points"] += 1
    assert not checks(ranked)[2][1]


def test_before_the_start_the_seats_are_seen() -> None:
    text = shown(renderer("bookmaker").board(board_of(Played(seats=3).sit(2, "Ben"))))
    assert "seat 2  Ben p-ben" in text
    assert "seat 1  free" in text


def test_a_settled_race_is_told_with_nets_and_forced_loans() -> None:
    played = raced(
        4,
        {3: bet(1, "red", 500), 4: bet(1, "red", 10)},
        books=[(9, 1, 1, 1), (3, 3, 2, 2)],
        limit=500,
        run=steps("red", 10),
    )
    settle(played)
    settled = next(e for e in played.events if type_of(e) == "bookmaker.race_settled")
    line = renderer("bookmaker").told(wire(settled, 0, settled.seq), names_of(board_of(played)))
    assert line is not None
    assert line.plain == (
        "Paid out 5,100 (net: seat 1 -5,100, seat 3 +5,000, seat 4 +100). "
        "seat 1 (Ann p-ann) must borrow 3,590."
    )


# ------------------------------------------------------------- any game


def test_a_game_without_a_module_of_its_own_is_drawn_plainly() -> None:
    drawn = renderer("hurdles")
    assert drawn.board is plain.board
    board = board_of(raced(4, run=steps("red", 10)))
    text = shown(drawn.board({**board, "game": "hurdles"}))
    assert text.startswith("hurdles · race 1 of 2 · settlement")
    assert "race_kind" in text
    assert "space 10" in text
    line = drawn.told({"type": "hurdles.jumped", "version": 3, "seat": 1, "fence": 2}, {1: "Ann"})
    assert line is not None
    assert line.plain == "jumped Ann: fence 2"
    assert drawn.redraws({"type": "race_closed"})
    assert not drawn.redraws({"type": "hurdles.jumped"})


def test_any_command_can_be_typed_by_its_fields() -> None:
    board = {"game": "hurdles"}
    assert plain.shorthand(["jump", "fence=2", "kind=high", "at=[1,2]"], board) == {
        "type": "hurdles.jump",
        "fence": 2,
        "kind": "high",
        "at": [1, 2],
    }
    assert plain.shorthand(["jump", "high"], board) is None


@pytest.mark.parametrize(
    ("words", "phase", "body"),
    [
        ("give red-3 joker", "exchange", {"type": "exchange_cards", "cards": ["red-3", "joker"]}),
        (
            "odds 3 2.5 2 2.5",
            "odds",
            {"type": "set_odds", "odds": {"red": 3, "blue": 2.5, "green": 2, "yellow": 2.5}},
        ),
        (
            "odds 3 3 2 2 limit 50",
            "bets",
            {
                "type": "change_odds",
                "odds": {"red": 3, "blue": 3, "green": 2, "yellow": 2},
                "limit": 50,
            },
        ),
        (
            "bet 1 red 50",
            "bets",
            {"type": "place_bet", "bookmaker": 1, "horse": "red", "stake": 50},
        ),
        ("accept 7 30", "bets", {"type": "answer_bet", "bet": 7, "stake": 30}),
        ("show red 3 blue 4", "race", {"type": "show_odds", "odds": {"red": 3, "blue": 4}}),
        ("borrow 100", "bets", {"type": "borrow", "amount": 100}),
        ("name red", "brocco", {"type": "name_brocco", "horse": "red"}),
        ("done", "bets", {"type": "done"}),
        ("play", "race", {"type": "play_joker"}),
        ("keep", "race", {"type": "keep_joker"}),
        ("turn", "race", {"type": "turn_card"}),
    ],
)
def test_commands_have_short_forms(words: str, phase: str, body: dict[str, Any]) -> None:
    read = renderer("bookmaker").shorthand(words.split(), {"phase": phase})
    assert read == {**body, "type": f"bookmaker.{body['type']}"}


@pytest.mark.parametrize(
    "words",
    ["odds 3 3 2", "odds 3 3 2 2 what", "bet red 50", "bet one red 50", "show red", "jump", ""],
)
def test_what_is_no_short_form_is_none(words: str) -> None:
    assert renderer("bookmaker").shorthand(words.split(), {"phase": "bets"}) is None


@pytest.mark.parametrize(
    "phase", ["exchange", "odds", "bets", "race", "brocco", "settlement", None]
)
def test_the_short_forms_of_each_phase_are_told(phase: str | None) -> None:
    forms = renderer("bookmaker").forms({"phase": phase})
    assert forms[-1] == "borrow 100"
