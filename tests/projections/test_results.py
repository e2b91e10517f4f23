"""Results, and whether a meeting is rated."""

from typing import Any

import pytest

from domain.racing.events import Rank
from projections.results import FORM, Result, results
from tests.kit.folding import Shelf
from tests.kit.histories import TERMS, Story, finished, moment

RESULTS = results(TERMS)


def result(story: Story) -> Result:
    shelf = Shelf()
    shelf.fold(RESULTS, story.facts(RESULTS))
    return FORM.decode(shelf.documents[story.meeting])


def test_a_result_tells_who_sat_where_and_how_it_ended() -> None:
    over = result(finished("m1", ["bea", "cid"], [2, 1], at=700))
    assert (over.meeting, over.game, over.at) == ("m1", "hurdles", moment(700))
    assert [(s.seat, s.player, s.name, s.kind, s.bot) for s in over.seats] == [
        (1, "bea", "Bea", "human", None),
        (2, "cid", "Cid", "human", None),
    ]
    assert over.ranking == [Rank(seat=2, rank=1, points=99), Rank(seat=1, rank=2, points=98)]


@pytest.mark.parametrize(
    ("players", "opened", "reason"),
    [
        (["bea", "cid"], {}, None),
        (["bea", "cid", "bot:steady", "bot:random"], {}, None),
        (["bea", "cid", "bot:steady", "bot:steady"], {}, None),
        (["bea", "cid"], {"arranged": True}, "arranged"),
        (["bea", "cid"], {"options": {"laps": 4, "mud": False}}, "own_options"),
        (["bea", "cid"], {"options": {"laps": 3}}, "own_options"),
        (["bea", "cid"], {"game": "polo"}, "own_options"),
        (["bea", "cid", "bea"], {}, "one_owner"),
        (["bea", "bot:steady"], {}, "built_in_bots_alone"),
        (["bot:random", "bot:steady"], {}, "built_in_bots_alone"),
        (["bea", "cid", "bot:sharp"], {}, "unknown_bot"),
        (["bea", "bea"], {"arranged": True}, "arranged"),
    ],
)
def test_a_meeting_is_rated_on_the_terms_of_the_contract(
    players: list[str], opened: dict[str, Any], reason: str | None
) -> None:
    story = finished("m1", players, list(range(1, len(players) + 1)), at=700, **opened)
    over = result(story)
    assert (over.rated, over.reason) == (reason is None, reason)


def test_defaults_are_those_of_the_number_of_seats() -> None:
    story = finished("m1", ["a", "b", "c", "d", "e"], [1, 2, 3, 4, 5], at=700)
    assert result(story).reason == "own_options", "five seats have other defaults"


def test_who_left_before_the_start_is_not_in_the_result() -> None:
    story = Story("m1").open().sit(1, "bea").sit(2, "cid").leave(1, "bea").sit(1, "dan")
    over = result(story.begin(2).finish([1, 2], at=700))
    assert [s.player for s in over.seats] == ["dan", "cid"]


def test_a_meeting_under_way_is_listed_nowhere() -> None:
    shelf = Shelf()
    story = Story("m1").open().sit(1, "bea").sit(2, "cid").begin(2)
    shelf.fold(RESULTS, story.facts(RESULTS))
    assert shelf.indexes == {}
    assert FORM.decode(shelf.documents["m1"]).at is None


def test_a_finished_meeting_is_listed_by_game_and_players_at_its_time() -> None:
    shelf = Shelf()
    shelf.fold(RESULTS, finished("m1", ["bea", "cid"], [1, 2], at=700).facts(RESULTS))
    place = [f"{moment(700)}|m1"]
    assert shelf.indexes == dict.fromkeys(
        ["all", "game:hurdles", "player:bea", "player:cid"], place
    )


def test_an_abandoned_meeting_leaves_no_document() -> None:
    shelf = Shelf()
    story = Story("m1").open().sit(1, "bea").abandon()
    for fact in story.facts(RESULTS):
        shelf.fold(RESULTS, [fact])
    assert shelf == Shelf()


def test_other_terms_are_another_version() -> None:
    cheaper = TERMS.bots["hurdles"]["steady"]
    bots = {"hurdles": {"steady": type(cheaper)(player="s", name="S", rating=1.0)}}
    other = type(TERMS)(defaults=TERMS.defaults, bots=bots)
    assert results(other).version != RESULTS.version
    assert results(TERMS).version == RESULTS.version
