"""The leaderboards: who counts, in which order, and what a late result does."""

from collections.abc import Sequence
from random import Random

import pytest

from projections.ladder import STANDING, Standing
from projections.leaderboards import leaderboards
from projections.ratings import NEWCOMER, Strength, of_bot, rate, rating_of
from tests.kit.folding import Shelf
from tests.kit.histories import TERMS, Story, finished, season

BOARDS = leaderboards(TERMS)


def shelf_of(stories: Sequence[Story]) -> Shelf:
    shelf = Shelf.of(BOARDS)
    for story in stories:
        shelf.fold(BOARDS, story.facts(BOARDS))
    return shelf


def standings(shelf: Shelf, game: str = "hurdles") -> dict[str, Standing]:
    """By player, best first."""
    members = shelf.indexes.get(f"game:{game}", [])
    found = [STANDING.decode(shelf.documents[place.partition("|")[2]]) for place in members]
    return {standing.player: standing for standing in found}


def people(shelf: Shelf, game: str = "hurdles") -> dict[str, Standing]:
    return {p: s for p, s in standings(shelf, game).items() if not p.startswith("bot-")}


def test_built_in_bots_stand_at_their_published_ratings_before_anybody_has_played() -> None:
    bots = standings(Shelf.of(BOARDS))
    assert [(s.player, s.name, s.kind, s.rating, s.meetings) for s in bots.values()] == [
        ("bot-steady", "Steady", "bot", 20.0, 0),
        ("bot-random", "Random", "bot", 2.0, 0),
    ]


def test_a_rated_meeting_gives_its_players_a_rating() -> None:
    board = people(shelf_of([finished("m1", ["bea", "cid"], [2, 1], at=700)]))
    strengths = rate([NEWCOMER, NEWCOMER], [2, 1])
    assert list(board) == ["cid", "bea"]
    assert board["bea"].rating == rating_of(strengths[0]) == -1.83
    assert board["cid"].rating == rating_of(strengths[1]) == 3.44
    assert (board["cid"].meetings, board["cid"].wins) == (1, 1)
    assert (board["bea"].meetings, board["bea"].wins) == (1, 0)


def test_games_have_boards_of_their_own() -> None:
    shelf = shelf_of([finished("m1", ["bea", "cid"], [2, 1], at=700, game="steeplechase")])
    assert not people(shelf, "hurdles")
    assert list(people(shelf, "steeplechase")) == ["cid", "bea"]


def test_an_unrated_meeting_changes_nothing() -> None:
    unrated = finished("m1", ["bea", "cid"], [2, 1], at=700, arranged=True)
    assert shelf_of([unrated]) == Shelf.of(BOARDS)


def test_results_against_built_in_bots_alone_do_not_count() -> None:
    alone = finished("m1", ["bea", "bot:random", "bot:steady"], [1, 2, 3], at=700)
    assert shelf_of([alone]) == Shelf.of(BOARDS)


def test_a_meeting_under_way_or_abandoned_does_not_count() -> None:
    under_way = Story("m1").open().sit(1, "bea").sit(2, "cid").begin(2)
    assert not people(shelf_of([under_way]))
    assert shelf_of([under_way.abandon()]) == Shelf.of(BOARDS)


def test_a_built_in_bot_is_an_opponent_but_its_rating_never_moves() -> None:
    shelf = shelf_of([finished("m1", ["bea", "bot:steady", "cid"], [1, 2, 3], at=700)])
    board = standings(shelf)
    strengths = rate([NEWCOMER, of_bot(20.0), NEWCOMER], [1, 2, 3])
    assert board["bea"].strength == strengths[0]
    assert board["cid"].strength == strengths[2]
    steady = board["bot-steady"]
    assert (steady.rating, steady.meetings, steady.wins) == (20.0, 1, 0)


def test_a_bot_in_two_seats_has_played_one_meeting() -> None:
    players = ["bea", "bot:steady", "bot:steady", "cid"]
    board = standings(shelf_of([finished("m1", players, [3, 2, 1, 4], at=700)]))
    assert (board["bot-steady"].meetings, board["bot-steady"].wins) == (1, 1)


def test_who_shares_the_first_rank_has_won() -> None:
    board = people(shelf_of([finished("m1", ["bea", "cid"], [1, 1], at=700)]))
    assert [(s.meetings, s.wins) for s in board.values()] == [(1, 1), (1, 1)]


def test_a_player_is_shown_by_the_name_of_their_last_rated_meeting() -> None:
    first = finished("m1", ["bea", "cid"], [1, 2], at=700)
    later = Story("m2").open().sit(1, "bea", name="Beatrix").sit(2, "cid").begin(2)
    later.finish([1, 2], at=900)
    for order in ([first, later], [later, first]):
        assert people(shelf_of(order))["bea"].name == "Beatrix"


def from_scratch(stories: Sequence[Story], game: str = "hurdles") -> dict[str, Strength]:
    """What ratings are by the contract's words: all results in order, one after the other."""
    results = sorted(
        (story.commands[-1][-1]["at"], story.meeting, story)
        for story in stories
        if story.commands[-1][-1]["type"] == "meeting_finished"
    )
    now: dict[str, Strength] = {}
    for _, _, story in results:
        opened = story.commands[0][0]
        seats = [e for c in story.commands for e in c if e["type"] == "seat_taken"]
        rated = not opened["arranged"] and opened["options"] == {"laps": 3, "mud": False}
        if opened["game"] != game or not rated or sum(e["bot"] is None for e in seats) < 2:
            continue
        before = [
            now.get(e["player"], NEWCOMER)
            if e["bot"] is None
            else of_bot(TERMS.bots[game][e["bot"]].rating)
            for e in seats
        ]
        rank = {line["seat"]: line["rank"] for line in story.commands[-1][-1]["ranking"]}
        after = rate(before, [rank[e["seat"]] for e in seats])
        now |= {e["player"]: s for e, s in zip(seats, after, strict=True) if e["bot"] is None}
    return now


def test_a_late_result_is_put_in_its_place_and_what_follows_is_computed_again() -> None:
    early = finished("m1", ["bea", "cid"], [1, 2], at=700)
    middle = finished("m2", ["cid", "dan"], [1, 2], at=800)
    late = finished("m3", ["dan", "eve"], [1, 2], at=900)
    board = people(shelf_of([middle, late, early]))
    wanted = from_scratch([early, middle, late])
    assert {player: s.strength for player, s in board.items()} == wanted
    in_order = shelf_of([early, middle, late])
    assert shelf_of([late, early, middle]) == in_order


def test_what_a_late_result_does_not_touch_is_not_written_again() -> None:
    shelf = shelf_of(
        [
            finished("m2", ["fay", "gus"], [1, 2], at=800),
            finished("m3", ["dan", "bea"], [1, 2], at=900),
        ]
    )
    changes = shelf.fold(BOARDS, finished("m1", ["bea", "cid"], [1, 2], at=700).facts(BOARDS))
    assert {change.id for change in changes.changes} == {
        "r:m1",
        "r:m3",
        "s:hurdles:p:bea",
        "s:hurdles:p:cid",
        "s:hurdles:p:dan",
    }


@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_arrival_gives_the_ratings_computed_from_scratch(seed: int) -> None:
    stories = season(seed, meetings=40)
    boards = []
    for order in range(3):
        arriving = list(stories)
        Random(order).shuffle(arriving)
        boards.append(shelf_of(arriving))
    assert boards[0] == boards[1] == boards[2], "documents and indexes, byte for byte"
    for game in ("hurdles", "steeplechase"):
        board = people(boards[0], game)
        assert {player: s.strength for player, s in board.items()} == from_scratch(stories, game)


def test_results_of_one_batch_count_in_their_order_too() -> None:
    stories = season(7, meetings=40)
    facts = [fact for story in stories for fact in story.facts(BOARDS)]
    at_once = Shelf.of(BOARDS)
    at_once.fold(BOARDS, facts)
    assert at_once == shelf_of(stories)


def test_the_board_is_sorted_by_rating_and_equal_ones_by_player() -> None:
    shelf = shelf_of([finished("m1", ["dan", "bea", "cid"], [1, 1, 3], at=700)])
    assert list(people(shelf)) == ["bea", "dan", "cid"]
