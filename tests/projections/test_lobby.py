"""The lobby's documents."""

from typing import Any

import msgspec

from projections.lobby import FORM, LOBBY, Listed
from tests.kit.folding import Shelf
from tests.kit.histories import OPTIONS, Story, finished, moment, season


def listed(story: Story) -> Listed:
    shelf = Shelf()
    shelf.fold(LOBBY, story.facts(LOBBY))
    return FORM.decode(shelf.documents[story.meeting])


def summary(story: Story) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(listed(story).summary)
    return plain


def free(seat: int) -> dict[str, Any]:
    return {"seat": seat, "player": None, "name": None, "kind": None}


def test_an_open_meeting_is_shown_with_its_free_seats() -> None:
    story = Story("m1").open("hurdles", seats=2, name="Derby", host="ann")
    assert summary(story) == {
        "id": "m1",
        "name": "Derby",
        "game": "hurdles",
        "options": OPTIONS,
        "status": "open",
        "arranged": False,
        "host": "ann",
        "seats": [free(1), free(2)],
        "race": 0,
        "version": 1,
        "commitment": "c0" * 32,
        "ranking": None,
    }


def test_the_summary_has_the_fields_of_the_contract_and_no_other() -> None:
    fields = "id name game options status arranged host seats race version commitment ranking"
    assert list(summary(Story("m1").open())) == fields.split()


def test_a_seat_shows_who_sits_there() -> None:
    seats = summary(Story("m1").open(seats=2).sit(2, "bea").sit_bot(1, "steady"))["seats"]
    assert seats == [
        {"seat": 1, "player": "bot-steady", "name": "Steady", "kind": "bot"},
        {"seat": 2, "player": "bea", "name": "Bea", "kind": "human"},
    ]


def test_a_seat_that_was_left_is_free() -> None:
    assert summary(Story("m1").open().sit(1, "bea").leave(1, "bea"))["seats"][0] == free(1)


def test_a_seat_kept_for_a_player_is_not_yet_theirs() -> None:
    kept = listed(Story("m1").open().reserve(1, "bea"))
    assert kept.summary.seats[0].player == "bea"
    assert kept.seats_of("bea") == []


def test_a_seat_kept_for_a_player_is_theirs_once_they_sit() -> None:
    kept = listed(Story("m1").open().reserve(1, "bea").sit(1, "bea"))
    assert kept.seats_of("bea") == [1]
    assert kept.reserved == []


def test_a_kept_seat_that_is_given_back_is_free() -> None:
    kept = listed(Story("m1").open().reserve(1, "bea").leave(1, "bea"))
    assert kept.reserved == []
    assert kept.summary.seats[0].player is None


def test_the_version_counts_public_events_and_no_others() -> None:
    story = Story("m1").open().sit(1, "bea").sit(2, "cid").begin(2)
    assert summary(story)["version"] == 5
    assert summary(story.play(3))["version"] == 8
    assert summary(story.play(4, audience=[1]).play(2, audience=[]))["version"] == 8


def test_status_and_race_follow_the_meeting() -> None:
    story = Story("m1").open().sit(1, "bea").sit(2, "cid").begin(2)
    assert (summary(story)["status"], summary(story)["race"]) == ("running", 1)
    story.tell({"type": "race_opened", "race": 2, "races": 2})
    assert summary(story)["race"] == 2


def test_a_finished_meeting_shows_its_ranking() -> None:
    over = summary(finished("m1", ["bea", "cid"], [2, 1], at=700))
    assert over["status"] == "finished"
    assert over["ranking"] == [
        {"seat": 2, "rank": 1, "points": 99},
        {"seat": 1, "rank": 2, "points": 98},
    ]


def test_an_abandoned_meeting_has_no_ranking() -> None:
    over = summary(Story("m1").open().sit(1, "bea").abandon())
    assert (over["status"], over["ranking"]) == ("abandoned", None)


def test_a_meeting_is_listed_by_game_status_and_players() -> None:
    story = Story("m1").open("hurdles").sit(1, "bea").sit(2, "bea")
    shelf = Shelf()
    shelf.fold(LOBBY, story.facts(LOBBY))
    place = [f"{moment(0)}|m1"]
    assert shelf.indexes == {
        "all": place,
        "game:hurdles": place,
        "status:open": place,
        "game:hurdles:status:open": place,
        "player:bea": place,
        "playing:bea": place,
    }


def test_a_meeting_that_is_over_is_nobody_s_to_play() -> None:
    story = finished("m1", ["bea", "cid"], [1, 2], at=700)
    shelf = Shelf()
    for fact in story.facts(LOBBY):
        shelf.fold(LOBBY, [fact])
    place = [f"{moment(100)}|m1"]
    assert set(shelf.indexes) == {
        "all",
        "game:hurdles",
        "status:finished",
        "game:hurdles:status:finished",
        "player:bea",
        "player:cid",
    }
    assert all(members == place for members in shelf.indexes.values())


def test_a_meeting_is_no_longer_listed_with_who_left_it() -> None:
    story = Story("m1").open().sit(1, "bea").leave(1, "bea")
    shelf = Shelf()
    for fact in story.facts(LOBBY):
        shelf.fold(LOBBY, [fact])
    assert "player:bea" not in shelf.indexes


def test_batches_of_any_size_make_the_same_documents() -> None:
    facts = [fact for story in season(3) for fact in story.facts(LOBBY)]
    shelves = []
    for size in (1, 7, len(facts)):
        shelf = Shelf()
        for start in range(0, len(facts), size):
            shelf.fold(LOBBY, facts[start : start + size])
        shelves.append(shelf)
    assert shelves[0] == shelves[1] == shelves[2]


def test_what_is_foreseen_is_what_the_fold_asks_first() -> None:
    """It is looked up before the facts are known, so it must not hang on what they are."""
    assert LOBBY.foresee is not None
    facts = [fact for story in season(4) for fact in story.facts(LOBBY)]
    for start in range(0, len(facts), 7):
        some = facts[start : start + 7]
        meetings = tuple(dict.fromkeys(fact.meeting for fact in some))
        assert next(LOBBY.fold(some)) == LOBBY.foresee(meetings)
