"""A forger who makes all hashes anew: every field of every event type is held by the rules."""

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from domain.kernel.lines import split
from domain.registry import event_types
from domain.verification import verify
from tests.kit.forging import Fields, Rechaining, forged_fields, rechained
from tests.kit.recorded import by_length, recorded_fields, recorded_lines

TYPES = tuple(event_types("bookmaker"))
RECORDED = {name for name in TYPES if name != "rules_changed"}
"""There were no rules before the first; tests/service/upgrades forges that event."""

FREE = {
    ("meeting_opened", "name"): "the host chose it",
    ("meeting_opened", "host"): "who it was is nobody's rule",
    ("meeting_opened", "arranged"): "a seed alone may be arranged: a mark too much hurts nobody",
    ("meeting_opened", "start"): "by whom the start was given is not told",
    ("meeting_opened", "private.server"): "an arrangement of which nothing was drawn",
    ("seat_reserved", "player"): "whom the host keeps a seat for",
    ("seat_reserved", "name"): "and its name",
    ("seat_reserved", "seat"): "which of the free ones",
    ("seat_taken", "player"): "who sits",
    ("seat_taken", "name"): "and its name",
    ("seat_taken", "kind"): "a person or an HTTP bot: both only send commands",
    ("bookmaker.bet_offered", "command.odds"): "whether the bettor named the odds shown",
    ("abandon_asked", "seat"): "which of the seats asked",
    ("meeting_abandoned", "reason"): "why, in a word",
    ("*", "at"): "when it was, between its neighbours",
}
"""What nothing else in a log hangs on: a value in its place shows only against a kept hash."""


NEVER_BEGAN = "open__abandoned_before_the_start"
WITH_A_BOT = "plain__won_by_a_card"


def noticed(lines: list[bytes]) -> bool:
    """Whether `verify` says that something is wrong, or that it did not check the rules."""
    report = verify(lines)
    return not report.ok or not report.rules_checked


def forgeries(name: str, places: Counter[tuple[str, str]], most: int) -> Iterator[tuple]:
    """(type, place, forged log) for places that were forged less than `most` times so far."""
    log = Rechaining(recorded_lines(name))
    for index, event in enumerate(recorded_fields(name)):
        here: set[tuple[str, str]] = set()
        for place, forged in forged_fields(event, TYPES):
            key = (event["type"], place)
            if places[key] < most:
                here.add(key)
                yield *key, log.with_event(index, forged)
        places.update(here)


def forge_all(most: int) -> tuple[int, Counter[tuple[str, str]]]:
    """Forge every place so often; how many forgeries there were, and which places."""
    places: Counter[tuple[str, str]] = Counter()
    count = 0
    for name in by_length():
        kept = split(recorded_lines(name)[-1][:-1])[1]
        for kind, place, lines in forgeries(name, places, most):
            count += 1
            if not noticed(lines):
                assert is_free(name, kind, place), f"{kind}.{place} in {name} is forged unnoticed"
                assert not verify(lines, expect=kept).ok, "a kept hash shows it"
    return count, places


def is_free(name: str, kind: str, place: str) -> bool:
    """Whether nothing hangs on this place; if play never began, not even on the options."""
    if name == NEVER_BEGAN and place.startswith(("options", "seat")):
        return True
    if place.startswith("private.server.arranged."):
        return True  # where another arrangement comes to the same draws
    return (kind, place) in FREE or ("*", place) in FREE


def test_every_forged_field_of_every_event_type_is_found() -> None:
    """Draws, payouts, stakes, phases, secrets, audiences, salts … each with several values."""
    count, places = forge_all(most=1)
    assert count >= 5_000
    assert {kind for kind, _ in places} == RECORDED
    for kind in RECORDED:
        cls = event_types("bookmaker")[kind]
        forged = {place for of, place in places if of == kind}
        own = set(cls.__annotations__) - {"known_to", "seat_form", "server_form"}
        assert own <= forged, f"a field of {kind} was never forged"


@pytest.mark.long
def test_every_forged_field_is_found_wherever_it_stands() -> None:
    """Many occurrences of every place, over all recorded meetings."""
    count, _ = forge_all(most=5)
    assert count >= 20_000


@pytest.mark.parametrize(
    ("name", "index", "later"),
    [("plain__won_by_a_card", -1, 1), ("open__abandoned_before_the_start", 3, 0.5)],
)
def test_a_later_time_of_a_whole_command_shows_only_against_a_kept_hash(
    name: str, index: int, later: float
) -> None:
    """Nobody but the server knows when it was; within a command all events have one time."""
    events: list[Fields] = recorded_fields(name)
    events[index]["at"] = events[index]["at"].replace(".000Z", ".100Z")
    first = events[index]["at"]
    for event in events[index:] if index > 0 else []:
        event["at"] = max(event["at"], first)
    lines = rechained(events)
    kept = split(recorded_lines(name)[-1][:-1])[1]
    assert noticed(lines) == (name == "plain__won_by_a_card"), "its last command has many events"
    assert not verify(lines, expect=kept).ok


@pytest.mark.parametrize(
    ("kind", "forged"),
    [
        ("meeting_opened", {"name": "x" * 41}),
        ("meeting_opened", {"name": " Cup"}),
        ("seat_taken", {"name": "x" * 41, "player": "p-ann", "bot": None}),
        ("seat_taken", {"name": "", "player": "p-ann", "bot": None}),
        ("seat_taken", {"name": "A\u0301nn", "player": "p-ann", "bot": None}),
        ("seat_taken", {"name": "An\nn", "player": "p-ann", "bot": None}),
        ("seat_taken", {"kind": "human", "bot": None}),
        ("seat_taken", {"bot": None}),
        ("seat_taken", {"player": "p-ann"}),
        ("seat_taken", {"name": "Ann"}),
        ("seat_taken", {"kind": "human", "bot": None, "player": "random"}),
    ],
)
def test_nobody_has_a_name_that_can_not_be_nor_that_of_a_bot(
    kind: str, forged: dict[str, str | None]
) -> None:
    """Contract, Names; a built-in bot is a player whose id and name are its own."""
    events: list[Fields] = recorded_fields(WITH_A_BOT)
    taken = next(
        event
        for event in events
        if event["type"] == kind and (kind != "seat_taken" or event["bot"] == "steady")
    )
    assert not noticed(rechained(events))
    taken.update(forged)
    report = verify(rechained(events))
    assert [problem.line for problem in report.problems] == [taken["seq"]]


def test_a_name_and_a_player_may_be_any_other() -> None:
    """Also one with a character that a later Unicode has: it is not this release's to tell."""
    events: list[Fields] = recorded_fields(WITH_A_BOT)
    taken = next(event for event in events if event["type"] == "seat_taken")
    for name in ("Zoë", "x" * 40, "A\u0378"):
        taken.update(name=name, player="p-zoe", kind="bot", bot=None)
        assert not noticed(rechained(events))


def test_forged_lines_are_what_the_forger_meant() -> None:
    """The tools write canonical lines: only the content is wrong, so the rules find it."""
    events = recorded_fields("trot__all_out")
    assert rechained(events) == list(recorded_lines("trot__all_out"))
    events[3]["seat"] = 7
    report = verify(rechained(events))
    assert [problem.line for problem in report.problems] == [4]
    assert msgspec.json.decode(split(rechained(events)[3][:-1])[0])["seat"] == 7
