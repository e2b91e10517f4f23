"""What `verify` says: of honest logs and cut ones, of other rules and games, of kept hashes."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.kernel.lines import canonical, split
from domain.kernel.message import Command
from domain.racing import lifecycle
from domain.racing.draft import chance_of
from domain.registry import GAMES, event_decoder
from domain.verification import Deviation, Report, decide_anew, lines_of, recorded_chance, verify
from tests.kit.forging import Fields, forged_fields, rechained, replaced
from tests.kit.meetings import Played, as_default, seated
from tests.kit.recorded import by_length, recorded_fields, recorded_lines

NAME = "all_kinds__won"
BROCCO = "brocco__shared_by_two"


def kept_hash(name: str, line: int = -1) -> str:
    """The hash of a recorded line."""
    return split(recorded_lines(name)[line][:-1])[1]


def only_problem(report: Report) -> tuple[int | None, str]:
    """The one thing that is wrong."""
    (problem,) = report.problems
    return problem.line, problem.what


# ------------------------------------------------------------------ facts


def test_the_report_tells_the_facts_of_an_honest_log() -> None:
    """Meeting, game, rules, events, races, last hash, ranking."""
    report = verify(recorded_lines(NAME))
    events = recorded_fields(NAME)
    assert report.ok
    assert msgspec.to_builtins(report.facts) == {
        "meeting": "m-spring-cup",
        "game": "bookmaker",
        "rules": GAMES["bookmaker"].rules,
        "events": len(events),
        "races": 4,
        "hash": kept_hash(NAME),
        "ending": "meeting_finished",
        "ranking": events[-1]["ranking"],
        "arranged": False,
        "last_nonce_seat": 1,
    }


def test_an_abandoned_meeting_has_no_ranking_and_is_verified_all_the_same() -> None:
    """Its draws too."""
    report = verify(recorded_lines("joker_trot__abandoned_in_play"))
    assert report.ok
    assert report.draws_checked
    assert report.facts.ending == "meeting_abandoned"
    assert report.facts.ranking is None


def test_the_seat_of_the_last_nonce_is_told_in_the_order_of_sitting_down() -> None:
    """Seat 2 sat first, so seat 1 is the one that nobody could foresee."""
    report = verify(recorded_lines(NAME))
    assert any("Seat 1 gave the last nonce" in note for note in report.notes)


def test_a_nonce_of_a_seat_that_was_left_is_no_part_of_the_key() -> None:
    """The last one counts among those that stayed."""
    played = Played(seats=2).sit(1, "Ann", "one").sit(2, "Ben", "two")
    played.act(lambda draft: lifecycle.leave_seat(draft, 2))
    played.sit(2, "Cleo").begin()
    report = verify(played.play(as_default).lines())
    assert report.ok
    assert report.facts.last_nonce_seat == 1


def test_without_nonces_the_report_says_that_the_operator_is_trusted() -> None:
    """Nothing else fixes the seed."""
    report = verify(recorded_lines("three_seats__won_by_a_card"))
    assert report.ok
    assert report.facts.last_nonce_seat is None
    assert any("No seat gave a nonce" in note for note in report.notes)


def test_an_arranged_meeting_is_told_as_such() -> None:
    """It proves nothing about luck."""
    report = verify(recorded_lines("trot__all_out"))
    assert report.facts.arranged
    assert any("arranged" in note for note in report.notes)


def test_a_meeting_that_never_began_has_drawn_nothing() -> None:
    """Its commitment and nonces are held all the same."""
    report = verify(recorded_lines("open__abandoned_before_the_start"))
    assert report.ok
    assert any("never began" in note for note in report.notes)


# ------------------------------------------------------------------ not whole


def test_a_log_without_its_end_is_incomplete_and_not_ok() -> None:
    """Whole lines, a whole chain, no end."""
    report = verify(recorded_lines(NAME)[:-1])
    assert not report.ok
    assert not report.complete
    line, what = only_problem(report)
    assert line is None
    assert "incomplete" in what


def test_an_organisers_copy_of_a_running_meeting_is_called_that() -> None:
    """Nobody but the server has `private.server` before the end, so nothing can be hashed."""
    copy = []
    for line in recorded_lines(NAME)[:40]:
        body, digest = split(line[:-1])
        fields = msgspec.json.decode(body)
        if "private" in fields:
            del fields["private"]["server"]
        fields["hash"] = digest
        copy.append(rehashed(fields))
    report = verify(copy)
    assert not report.ok
    assert not report.complete
    line, what = only_problem(report)
    assert line == 1
    assert "still running" in what


def rehashed(fields: Fields) -> bytes:
    """A line with the hash that it had, whatever else it lost."""
    digest = fields.pop("hash")
    return canonical(fields)[:-1] + b',"hash":"' + digest.encode() + b'"}\n'


def test_the_same_copy_with_hashes_made_anew_is_called_that_too() -> None:
    """The first line has no seed."""
    events = recorded_fields(NAME)
    del events[0]["private"]
    assert "still running" in only_problem(verify(rechained(events)))[1]


def test_an_empty_file_is_no_log() -> None:
    """Not even an honest one."""
    assert only_problem(verify([])) == (None, "the log is empty")
    assert not verify(lines_of(b"")).ok
    assert not verify(lines_of(b"\n")).ok


def test_a_log_that_does_not_begin_with_its_opening_is_refused() -> None:
    """Also if it is chained from there."""
    line, what = only_problem(verify(rechained(renumber(recorded_fields(NAME)[1:]))))
    assert line == 1
    assert "meeting_opened" in what


def renumber(events: list[Fields]) -> list[Fields]:
    """Numbers from 1."""
    return [{**event, "seq": number} for number, event in enumerate(events, 1)]


def test_the_number_of_the_first_bad_line_is_told() -> None:
    """By the chain alone, and by the rules when the chain is made anew."""
    lines = list(recorded_lines(NAME))
    lines[16] = lines[16].replace(b'"seq":17', b'"seq":18')
    assert verify(lines).problems[0].line == 17
    events = recorded_fields(NAME)
    turned = next(e for e in events if e["type"] == "bookmaker.card_turned")
    turned["space"] = 7
    line, what = only_problem(verify(rechained(events)))
    assert line == turned["seq"]
    assert "space is 7; the rules make it 1" in what


# ------------------------------------------------------------------ kept hashes


def test_any_hash_of_the_log_may_be_expected() -> None:
    """A `race_closed` of the feed shows one in mid-meeting; what follows it, it does not hold."""
    closed = [i for i, e in enumerate(recorded_fields(NAME)) if e["type"] == "race_closed"][1]
    report = verify(recorded_lines(NAME), expect=kept_hash(NAME, closed))
    assert report.ok
    assert report.expected_line == closed + 1
    assert any("proves nothing about the lines after" in note for note in report.notes)
    last = verify(recorded_lines(NAME), expect=kept_hash(NAME))
    assert last.expected_line == len(recorded_lines(NAME))
    assert not any("proves nothing" in note for note in last.notes)


def another_meeting(seed: int) -> Played:
    """The same table, with another seed and so another course."""
    played = seated(Played(seats=3, seed=bytes([seed]) * 32))
    return played.play(as_default)


def cut_and_abandoned() -> list[bytes]:
    """The operator did not like the end: the log up to race 3, then abandoned."""
    played = seated(Played(seats=3, seed=bytes([3]) * 32))
    return played.play(as_default, until=lambda p: p.full.race == 3).abandon("host").lines()


def richer() -> list[bytes]:
    """More cash to start with, and a ranking that goes with it."""
    events = recorded_fields("three_seats__won_by_a_card")
    events[0]["options"]["cash"] += 100
    for row in events[-1]["ranking"]:
        row["points"] += 100
    return rechained(events)


@pytest.mark.parametrize(
    "rewritten", [lambda: another_meeting(7).lines(), cut_and_abandoned, richer]
)
def test_a_consistent_rewriting_shows_only_against_a_kept_hash(
    rewritten: Callable[[], list[bytes]],
) -> None:
    """All hashes, draws and rules are in order; it is another history."""
    kept = kept_hash("three_seats__won_by_a_card")
    lines = rewritten()
    assert verify(lines).ok
    report = verify(lines, expect=kept)
    assert only_problem(report) == (
        None,
        "the hash expected is not in this log: it is another history",
    )
    assert verify(recorded_lines("three_seats__won_by_a_card"), expect=kept).ok


# ------------------------------------------------------------------ other rules, other games


def of_other_rules(name: str) -> list[Fields]:
    """A recorded log as if by a release with other rules."""
    events = recorded_fields(name)
    events[0]["rules"] = "0"
    return events


def test_with_other_rules_hashes_draws_and_money_are_checked_and_the_rules_are_not() -> None:
    """And the report says so."""
    report = verify(rechained(of_other_rules(NAME)))
    assert report.ok
    assert report.draws_checked
    assert not report.rules_checked
    assert any("rules were NOT checked" in note for note in report.notes)


def change(name: str, path: tuple[str | int, ...], value: Any, nth: int = 0) -> list[Fields]:
    """A log of other rules with one value forged in the nth event of a type."""
    events = of_other_rules(BROCCO)
    where = [i for i, e in enumerate(events) if e["type"].split(".")[-1] == name][nth]
    events[where] = replaced(events[where], path, value)
    return events


@pytest.mark.parametrize(
    "forged",
    [
        change("card_turned", ("draws", "race-1/deck", 0), "blue-1"),
        change("cards_opened", ("draws", "race-1/deck", 0), "blue-1"),
        change("roles_drawn", ("draws", "bookmaker", 0), 3),
        change("brocco_set_aside", ("private", "server", "draws", "brocco", 0), "blue-1"),
        change("hands_dealt", ("private", "server", "draws", "race-1/deck", 0), "blue-1"),
        change("race_settled", ("payments", 0, "amount"), 50),
        change("race_settled", ("nets", 0), 0),
        change("race_settled", ("loans", 0, "amount"), 40),
        change("bet_placed", ("stake",), 20),
        change("loan_taken", ("amount",), 20),
        change("brocco_shared", ("shares", "2"), 20),
        change("loans_repaid", ("repayments", 0, "interest"), 0),
        change("meeting_finished", ("ranking", 0, "points"), 60),
    ],
)
def test_with_other_rules_a_forged_draw_or_dollar_is_still_found(forged: list[Fields]) -> None:
    """The audit knows the lists of the draws and what each event says of money."""
    report = verify(rechained(forged))
    assert not report.ok


def test_with_other_rules_a_type_that_came_later_is_told_and_draws_and_money_are_not_checked() -> (
    None
):
    """Hashes and promises are."""
    events = of_other_rules(NAME)
    events[30]["type"] = "bookmaker.photo_finish"
    report = verify(rechained(events))
    assert report.ok
    assert not report.draws_checked
    assert not report.rules_checked
    assert any("bookmaker.photo_finish" in note for note in report.notes)
    assert any("NOT checked" in note for note in report.notes)


def test_with_other_rules_no_forged_field_makes_it_fail() -> None:
    """Whatever stands there, the answer is a report."""
    places: set[tuple[str, str]] = set()
    for name in by_length()[:6]:
        events = of_other_rules(name)
        for index, event in enumerate(events):
            for place, forged in forged_fields(event, ("bookmaker.bet_placed", "seat_taken")):
                if (event["type"], place) not in places:
                    report = verify(rechained([*events[:index], forged, *events[index + 1 :]]))
                    assert isinstance(report, Report)
            places.update((event["type"], place) for place, _ in forged_fields(event, ()))


def of_another_game(name: str) -> list[Fields]:
    """A recorded log as if of a game that this release does not have."""
    events = recorded_fields(name)
    events[0]["game"] = "hurdles"
    for event in events:
        event["type"] = event["type"].replace("bookmaker.", "hurdles.")
    return events


def test_of_an_unknown_game_hashes_and_promises_are_checked_and_nothing_else() -> None:
    """And the report says so."""
    report = verify(rechained(of_another_game(NAME)))
    assert report.ok
    assert not report.draws_checked
    assert not report.rules_checked
    assert report.facts.last_nonce_seat == 1
    assert any("does not have the game 'hurdles'" in note for note in report.notes)


@pytest.mark.parametrize(
    ("index", "path", "value"),
    [
        (0, ("commitment",), "0" * 64),
        (0, ("private", "server", "seed"), "11" * 32),
        (0, ("private", "server", "seed"), "no seed"),
        (0, ("private", "server", "seed"), None),
        (0, ("private", "server", "arranged"), []),
        (0, ("private", "server", "salt"), "0" * 32),
        (1, ("nonce_hash",), "0" * 64),
        (1, ("private", "2", "nonce"), "other"),
        (1, ("private", "2", "nonce"), "pipe|"),
        (1, ("private", "2", "nonce"), ""),
        (1, ("private", "2", "nonce"), 7),
        (1, ("private", "2"), {}),
        (3, ("nonces", 0), "other"),
        (3, ("nonces",), ["two"]),
        (3, ("nonces",), 5),
        (-1, ("seed",), "11" * 32),
        (5, ("type",), "bookmaker.race_opened"),
    ],
)
def test_of_an_unknown_game_a_broken_promise_is_still_found(
    index: int, path: tuple[str | int, ...], value: Any
) -> None:
    """Commitment, seed, salts, nonces, the prefix of types."""
    events = of_another_game(NAME)
    events[index] = replaced(events[index], path, value)
    assert not verify(rechained(events)).ok


# ------------------------------------------------------------------ deciding anew


def test_deciding_anew_works_for_a_meeting_that_is_not_over() -> None:
    """From its own seed, and from the draws as recorded."""
    played = seated(Played(seats=2))
    played.play(as_default, until=lambda p: p.full.race == 2)
    assert decide_anew(played.events, played.game) == played.full
    recorded = recorded_chance(played.events)
    assert decide_anew(played.events, played.game, recorded) == played.full


def test_deciding_anew_from_recorded_draws_does_not_ask_whether_they_were_chances_own() -> None:
    """It tells rules from luck: a log of another seed follows the rules as well."""
    events = recorded_fields("three_seats__won_by_a_card")
    events[0]["private"]["server"]["seed"] = "22" * 32
    decode = event_decoder("bookmaker").decode
    with pytest.raises(Deviation, match="line 1"):  # the commitment is another
        decide_anew([decode(canonical(e)) for e in events], GAMES["bookmaker"])


def test_a_server_that_restarts_after_every_command_writes_the_same_log() -> None:
    """Chance made anew draws alike, and tells of a list that did not fit once only."""
    name = "arranged__a_list_dropped"
    turns = recorded_fields(name)[0]["private"]["server"]["arranged"]
    options = recorded_fields(name)[0]["options"]
    played = Played(seats=2, options=options, draws=turns, start="when_full")
    seated(played, ["left", "right"], start=False)

    def restarted(played: Played, seat: int) -> Command:
        played.chance = chance_of(played.full)
        return as_default(played, seat)

    assert tuple(played.play(restarted).lines()) == recorded_lines(name)
    told = [event.get("arrangement_dropped") for event in recorded_fields(name)]
    assert [labels for labels in told if labels] == [["race-1/joker-deck"], ["race-2/turn"]]


def test_a_recorded_draw_that_is_not_in_its_list_is_a_deviation() -> None:
    """No such card is left."""
    events = recorded_fields("trot__all_out")
    index = next(i for i, e in enumerate(events) if e["type"] == "bookmaker.card_turned")
    (label,) = events[index]["draws"]
    events[index]["draws"][label] = ["joker"]
    decode = event_decoder("bookmaker").decode
    made = [decode(canonical(event)) for event in events]
    with pytest.raises(Deviation, match="not among those to draw from"):
        decide_anew(made, GAMES["bookmaker"], recorded_chance(made))
