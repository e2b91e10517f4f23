"""A forger who makes all hashes anew is found by the rules, the draws or the scores."""

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from domain.games.ticket_gagnant.audit import audit
from domain.kernel.lines import split
from domain.registry import event_decoder, event_types
from domain.verification import verify
from domain.verification.promises import check_promises
from domain.verification.report import Facts, Report
from tests.domain.games.ticket_gagnant.turf import GAME, HORSES
from tests.kit.forging import Fields, Rechaining, fields_of, forged_fields, rechained
from tests.kit.recordings import Recordings

TYPES = tuple(event_types(GAME))
FREE = {
    ("meeting_opened", "name"): "the host chose it",
    ("meeting_opened", "host"): "who it was is nobody's rule",
    ("meeting_opened", "arranged"): "a seed alone may be arranged",
    ("meeting_opened", "start"): "by whom the start was given is not told",
    ("meeting_opened", "private.server"): "an arrangement of which nothing was drawn",
    ("seat_taken", "player"): "who sits",
    ("seat_taken", "name"): "and its name",
    ("seat_taken", "kind"): "a person or an HTTP bot",
    ("seat_taken", "bot"): "which built-in bot plays",
    ("ticket-gagnant.race_chosen", "command.hidden"): "said, or left out",
    ("abandon_asked", "seat"): "which of the seats asked",
    ("meeting_abandoned", "reason"): "why, in a word",
    ("*", "at"): "when it was, between its neighbours",
}
"""What nothing else in a log hangs on."""

UNMET = ("private.server.arranged.", "options.course.")
"""What may be otherwise where play never met it: another board, other draws to the same end."""


def is_free(kind: str, place: str, *, over: bool) -> bool:
    """Whether nothing need hang on a place; before a race is scored no option for its scoring."""
    if place.startswith(UNMET) or (not over and place.startswith("options.")):
        return True
    return (kind, place) in FREE or ("*", place) in FREE


lines_of = Recordings(GAME).lines


def noticed(lines: list[bytes]) -> bool:
    """Whether `verify` says that something is wrong, or that it did not check the rules."""
    report = verify(lines)
    return not report.ok or not report.rules_checked


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("flat__line_crossed_by_a_displacement", marks=pytest.mark.long),
        "steeplechase__last_card_discarded",
        "obstacle__abandoned_in_play",
    ],
)
def test_every_field_of_every_event_is_held(name: str) -> None:
    """Each place of each type of event, with other values, all hashes made anew."""
    lines = lines_of(name)
    log = Rechaining(lines)
    places: Counter[tuple[str, str]] = Counter()
    missed = set()
    for index, event in enumerate(fields_of(lines)):
        here = set()
        for place, forged in forged_fields(event, TYPES):
            key = (event["type"], place)
            if places[key] >= 1:
                continue
            here.add(key)
            free = is_free(*key, over="abandoned" not in name)
            if not free and not noticed(log.with_event(index, forged)):
                missed.add(key)
        places.update(here)
    assert not missed
    assert len(places) > 100


Events = list[Fields]


def of(events: Events, name: str, nth: int = 0) -> Fields:
    """The nth event of a type."""
    return [ev for ev in events if ev["type"] in (name, f"ticket-gagnant.{name}")][nth]


def more_points(events: Events) -> None:
    """Seat 1 has ten points more, in sums, scores and the ranking."""
    for event in events:
        if event["type"].endswith("race_scored"):
            event["scores"][0] += 10
    of(events, "race_scored")["nets"][0] += 10
    ranking = events[-1]["ranking"]
    for row in ranking:
        row["points"] += 10 * (row["seat"] == 1)
    ranking.sort(key=lambda row: (-row["points"], row["seat"]))
    for row in ranking:
        row["rank"] = 1 + sum(other["points"] > row["points"] for other in ranking)


def other_finish(events: Events) -> None:
    """Two horses change their ranks in race 1."""
    ranking = of(events, "race_scored")["ranking"]
    ranking[0], ranking[1] = ranking[1], ranking[0]


def other_photo(events: Events) -> None:
    """The photo finish was drawn in another order."""
    event = of(events, "photo_finish_drawn")
    event["order"] = event["order"][::-1]
    event["draws"] = {label: items[::-1] for label, items in event["draws"].items()}


def other_hand(events: Events) -> None:
    """Two seats had each other's cards."""
    private = of(events, "hands_dealt", 1)["private"]
    private["1"], private["2"] = private["2"], private["1"]


def better_hand(events: Events) -> None:
    """A card is exchanged for one that was never dealt, in the draw too."""
    event = of(events, "hands_dealt", 1)
    dealt = next(iter(event["private"]["server"]["draws"].values()))
    old = event["private"]["1"]["hand"][0]
    new = next(f"{h}-3" for h in HORSES if f"{h}-3" not in dealt)
    event["private"]["1"]["hand"][0] = new
    dealt[dealt.index(old)] = new


def other_prediction(events: Events) -> None:
    """A seat had predicted the winner, all along."""
    event = of(events, "prediction_made")
    event["private"][str(event["seat"])]["prediction"]["first"] = "black"


def further(events: Events) -> None:
    """A horse moved one space more."""
    of(events, "card_played")["moved"]["space"] += 1


def not_over(events: Events) -> None:
    """A play did not end the race, it says."""
    ending = [ev for ev in events if ev["type"].endswith("card_played") and ev["ends"]]
    ending[0]["ends"] = False


def a_field_too_many(events: Events) -> None:
    """A command with a field that its card does not take."""
    of(events, "card_played")["command"]["horse"] = "red"


def other_first_player(events: Events) -> None:
    """Another seat begins race 2."""
    of(events, "lanes_drawn", 1)["first"] = 1


FORGERIES: list[Callable[[Events], None]] = [
    more_points,
    other_finish,
    other_photo,
    other_hand,
    better_hand,
    other_prediction,
    further,
    not_over,
    a_field_too_many,
    other_first_player,
]


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_story_is_found(forge: Callable[[Events], None]) -> None:
    """Whatever the forger wants, the rules lead elsewhere."""
    honest = fields_of(lines_of("flat__line_crossed_by_a_move"))
    forged = copy.deepcopy(honest)
    assert not noticed(rechained(honest))
    forge(forged)
    assert forged != honest
    assert noticed(rechained(forged))


def audited(events: Events) -> list[str]:
    """What the audit finds, which knows no rules of play."""
    lines = rechained(events)
    decode = event_decoder(GAME).decode
    report = Report(facts=Facts(), problems=[], notes=[])
    chance = check_promises(events, report)
    return audit([decode(split(line[:-1])[0]) for line in lines], chance)


AUDITED: list[tuple[Callable[[Events], None], str]] = [
    (more_points, "the nets are not what the predictions earn"),
    (other_finish, "the ranking is not that of the finish"),
    (other_photo, "the recorded items are not those drawn"),
    (better_hand, "the recorded items are not those drawn"),
    (other_prediction, "the predictions are not those made"),
]


@pytest.mark.parametrize(("forge", "finding"), AUDITED)
def test_draws_and_scores_are_recomputed_without_the_rules(
    forge: Callable[[Events], None], finding: str
) -> None:
    """TG-R1 to TG-R3, TG-P1 to TG-P8; contract, Chance."""
    events = fields_of(lines_of("flat__line_crossed_by_a_move"))
    assert audited(events) == []
    forge(events)
    assert any(finding in found for found in audited(events))


def scores_of_another(events: Events) -> None:
    """The scores are not the sums."""
    of(events, "race_scored")["scores"][1] += 1


def other_ranking(events: Events) -> None:
    """The last line ranks otherwise."""
    events[-1]["ranking"][0]["points"] += 1


def strange_label(events: Events) -> None:
    """A draw under a label that there is not."""
    of(events, "photo_finish_drawn")["draws"]["race-9/lanes"] = ["red"]


@pytest.mark.parametrize(
    ("forge", "finding"),
    [
        (scores_of_another, "the scores are not the sums of the nets"),
        (other_ranking, "the ranking is not by the scores"),
        (strange_label, "this meeting draws nothing under this label"),
    ],
)
def test_sums_and_labels_are_recomputed_too(forge: Callable[[Events], None], finding: str) -> None:
    """TG-P7, TG-P8"""
    events: Any = fields_of(lines_of("harness__crossed_and_disqualified"))
    assert audited(events) == []
    forge(events)
    assert any(finding in found for found in audited(events))
