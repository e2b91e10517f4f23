"""Logs verified: whatever is forged in one is found, by the rules and without them."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.tuyaux import events as e
from domain.games.tuyaux.audit import audit
from domain.kernel.chance import SeededChance
from domain.kernel.message import Event
from domain.racing.draft import chance_of
from domain.racing.events import MeetingFinished, MeetingOpened
from domain.registry import event_types
from domain.verification import verify
from tests.domain.games.tuyaux.paddock import dead_heat, play, win
from tests.kit.forging import Rechaining, fields_of, forged_fields, rechained
from tests.kit.meetings import Played, as_default, seated

FREE = {
    ("meeting_opened", "name"): "the host chose it",
    ("meeting_opened", "host"): "who it was is nobody's rule",
    ("meeting_opened", "options.target"): "a target that the same race reaches",
    ("seat_taken", "player"): "who sits",
    ("seat_taken", "name"): "and its name",
    ("seat_taken", "kind"): "a person or an HTTP bot: both only send commands",
}
"""What nothing else in this log hangs on; and its arrangement, where another comes to the same."""


def arranged_meeting() -> Played:
    """One race, a dead heat, over."""
    bets = (win("vertige"), win("noiro"))
    return play(dead_heat(*bets, target=1, nonces=("a", None)), "noiro-0")


def drawn_meeting(**options: Any) -> Played:
    """A whole meeting by defaults, its draws from the seed."""
    played = Played("tuyaux", seats=3, options={"open_bets": True, **options})
    return seated(played, ("a", None, "b")).play(as_default)


@pytest.mark.parametrize("options", [{}, {"bets": "tierce"}, {"bets": "two_wins", "target": 1}])
def test_an_honest_log_is_verified(options: dict[str, Any]) -> None:
    """Hashes, chance, rules, draws and coins."""
    played = drawn_meeting(**options)
    report = verify(played.lines())
    assert report.problems == []
    assert (report.complete, report.rules_checked, report.draws_checked) == (True, True, True)
    assert report.facts.races == played.full.race


def test_every_forged_field_is_found() -> None:
    """All hashes made anew; each place of every event with several values."""
    lines = arranged_meeting().lines()
    log = Rechaining(lines)
    count = 0
    for index, event in enumerate(fields_of(lines)):
        for place, forged in forged_fields(event, tuple(event_types("tuyaux"))):
            count += 1
            report = verify(log.with_event(index, forged))
            if report.ok and report.rules_checked:
                arrangement = place.startswith("private.server.arranged")
                assert arrangement or (event["type"], place) in FREE, place
    assert count > 2_500


def forge(lines: list[bytes], kind: str, change: Callable[[Any], Any]) -> list[bytes]:
    """A log in which the last event of a type is changed, all hashes made anew."""
    events = fields_of(lines)
    change(next(event for event in reversed(events) if event["type"] == f"tuyaux.{kind}"))
    return rechained(events)


def other_horse(event: Any) -> None:
    """The winner is another."""
    event["winners"] = ["perle"] if event["winners"] != ["perle"] else ["noiro"]


def another_coin(event: Any) -> None:
    """A coin more."""
    event["pays"][0] += 1


def other_lines(event: Any) -> None:
    """The field is another one."""
    event["lines"] = event["lines"][::-1]


def other_bet(event: Any) -> None:
    """A seat says that it had bet as another did."""
    bets = event["bets"]
    bets[0] = next(b for b in (*bets, {**bets[0], "win": ["perle"]}) if b != bets[0])


def other_place(event: Any) -> None:
    """A place more."""
    event["moved"] += 1


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("race_settled", other_horse),
        ("race_settled", another_coin),
        ("race_settled", other_bet),
        ("tip_played", other_lines),
        ("tip_played", other_place),
        ("card_turned", other_lines),
        ("card_turned", other_place),
        ("bets_revealed", other_bet),
    ],
)
def test_what_a_cheat_would_change_is_found(kind: str, change: Callable[[Any], Any]) -> None:
    """TU-E1, TU-M3, TU-B2"""
    lines = drawn_meeting(target=1).lines()
    assert not verify(forge(lines, kind, change)).ok


# ------------------------------------------------------------- without the rules


def findings(events: list[Event], played: Played) -> list[str]:
    """What the audit alone says."""
    return audit(events, chance_of(played.full))


def changed(played: Played, kind: type[Event], **fields: Any) -> list[Event]:
    """The events, the first of a type with other fields."""
    events = list(played.events)
    at = next(i for i, event in enumerate(events) if isinstance(event, kind))
    events[at] = replace(events[at], **fields)
    return events


def test_the_audit_finds_nothing_in_an_honest_log_with_the_seed_or_without() -> None:
    """Contract, Log"""
    for played in (drawn_meeting(), drawn_meeting(bets="win_and_place"), arranged_meeting()):
        assert findings(played.events, played) == []
        assert audit(played.events, None) == []


def test_the_audit_finds_draws_that_the_seed_does_not_give() -> None:
    """Contract, Chance"""
    played = drawn_meeting(target=1)
    dealer = next(ev for ev in played.events if isinstance(ev, e.DealerDrawn)).dealer
    forged = changed(played, e.DealerDrawn, draws={"dealer": [dealer % 3 + 1]})
    assert any("dealer" in what for what in findings(forged, played))
    assert audit(forged, None) == []
    other = SeededChance(b"another key")
    assert len(audit(played.events, other)) > 3
    foreign = changed(played, e.CardTurned, draws={"race-9/race-deck": ["noiro-2"]})
    assert any("no draw of race 1" in what for what in findings(foreign, played))
    unknown = changed(played, e.CardTurned, draws={"race-1/deck": ["noiro-2"]})
    assert any("no draw of race 1" in what for what in findings(unknown, played))


def test_the_audit_finds_a_hand_that_was_not_dealt() -> None:
    """TU-S4"""
    played = drawn_meeting(target=1)
    dealt = next(ev for ev in played.events if isinstance(ev, e.TipsDealt))
    assert isinstance(dealt.private, dict)
    private = {**dealt.private, "1": dealt.private["2"], "2": dealt.private["1"]}
    found = audit(changed(played, e.TipsDealt, private=private), None)
    assert any("hand of seat 1" in what for what in found)
    assert any("hand of seat 2" in what for what in found)


def test_the_audit_finds_a_tip_that_is_not_held_and_one_that_is_left() -> None:
    """TU-T1"""
    played = drawn_meeting(target=1)
    tips = [ev for ev in played.events if isinstance(ev, e.TipPlayed)]
    other = next(ev.card for ev in tips if ev.card != tips[0].card and ev.seat != tips[0].seat)
    found = audit(changed(played, e.TipPlayed, card=other), None)
    assert any("does not hold" in what or "in hand" in what for what in found)


def test_the_audit_finds_bets_told_otherwise_than_made() -> None:
    """TU-B1, TU-B2"""
    played = drawn_meeting(target=1)
    for kind in (e.BetsRevealed, e.RaceSettled):
        event = next(ev for ev in played.events if isinstance(ev, kind))
        bets = [replace(event.bets[0], win=["noiro", "perle"]), *event.bets[1:]]
        assert any("bets" in what for what in audit(changed(played, kind, bets=bets), None))


def test_the_audit_finds_coins_that_do_not_add_up() -> None:
    """TU-E1, TU-E2"""
    played = drawn_meeting(target=1)
    settled = next(ev for ev in played.events if isinstance(ev, e.RaceSettled))
    pays = [settled.pays[0] + 1, *settled.pays[1:]]
    assert any("coins" in what for what in audit(changed(played, e.RaceSettled, pays=pays), None))
    last = played.events[-1]
    assert isinstance(last, MeetingFinished)
    ranking = [replace(last.ranking[0], points=99), *last.ranking[1:]]
    assert audit(changed(played, MeetingFinished, ranking=ranking), None) != []


def test_the_audit_needs_the_first_line() -> None:
    """Contract, Log"""
    played = drawn_meeting(target=1)
    assert isinstance(played.events[0], MeetingOpened)
    assert audit(played.events[1:], None) == ["the log does not begin with meeting_opened"]
