"""What a viewer may not know leaves no trace in any byte that it is sent (sheet, Hidden).

Twin meetings are alike in all that one viewer may know and other in what it may not: other
certificates with the other seats and in the pile. They are compared to the end of the last race,
where all is revealed.
"""

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.kernel.lines import redact, wire
from domain.kernel.message import Command, Event, body_of
from domain.racing.folding import apply
from domain.racing.meeting import Meeting
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    HORSES,
    PACK,
    at_turns,
    card,
    change,
    line_up,
    pick,
    pick_all,
    play_round,
    race,
    table,
)
from tests.kit.meetings import Played, at_random, seated
from tests.kit.spec import board, fork


def seen(played: Played, viewer: int) -> list[bytes]:
    """All that a viewer is sent before the last race ends: events, boards, actions, defaults."""
    return [msgspec.json.encode(sent) for sent in sent_to(played, viewer)]


def sent_to(played: Played, viewer: int) -> Iterator[Any]:
    """The same before it is written: boards show the state as it is, so each is written at once."""
    last = [i for i, made in enumerate(played.events) if isinstance(made, e.RaceEnded)]
    until = last[-1] if played.full.status == "finished" else len(played.events)
    view = Meeting(viewer=viewer)
    for made in played.events[:until]:
        known = redact(made, viewer)
        if known is None:
            continue
        apply(view, known, played.game)
        told = wire(known, viewer, view.version)
        told.pop("commitment", None)
        yield told
        yield played.game.view(view)
        if viewer and (view.decision == view.version or not view.might):
            listing = played.game.actions(view, viewer)
            yield [body_of(action) for action in listing.actions]
            yield listing.schema
            yield played.game.default(view, viewer)


def alike(one: Played, other: Played, viewer: int) -> None:
    """Everything sent to a viewer is the same, byte for byte."""
    for step, (first, second) in enumerate(
        zip(seen(one, viewer), seen(other, viewer), strict=True)
    ):
        assert first == second, step


def last_told(played: Played, viewer: int) -> dict[str, Any]:
    """The last event of a viewer's feed."""
    *_, told = (sent for sent in sent_to(played, viewer) if isinstance(sent, dict) and "at" in sent)
    return dict(told)


class Twins:
    """Two meetings that one viewer can't tell apart.

    Args:
        viewer: a seat, or 0 for the public.
        seats, options: of both meetings.
        source: of all chance.
    """

    def __init__(self, viewer: int, seats: int, options: dict[str, Any], source: Random) -> None:
        self.viewer, self.seats, self.options, self.source = viewer, seats, options, source
        self.last = options.get("races", 1)
        self.dealt = {n: source.sample(HORSES, 6) for n in range(1, self.last + 1)}
        self.one = self._begun(self.dealt)
        self.one.play(wild(source))
        self.other = self._begun({**self.dealt, self.last: self._dealt_anew()})
        self._replay()

    def _begun(self, dealt: dict[int, list[str]]) -> Played:
        draws = {f"race-{number}/certificates": cards for number, cards in dealt.items()}
        played = Played("change-horses", seats=self.seats, options=self.options, draws=draws)
        return seated(played, ("a", "b"))

    def _dealt_anew(self) -> list[str]:
        """Another deal of the last race in which the viewer sees the same certificates."""
        told = self._told(self.dealt[self.last])
        others = [list(deal) for deal in permutations(HORSES) if self._told(list(deal)) == told]
        others.remove(self.dealt[self.last])
        return self.source.choice(others)

    def _told(self, deal: list[str]) -> list[str]:
        """What the viewer sees of a deal: its certificates, and those it takes by changes."""
        each = 2 if self.seats == 2 else 1
        held = {s: sorted(deal[(s - 1) * each : s * each]) for s in range(1, self.seats + 1)}
        pile = deal[self.seats * each :]
        told = list(held.get(self.viewer, []))
        for seat, gives in self._changes():
            slot = held[seat].index(gives) if seat == self.viewer and gives in held[seat] else 0
            pile.append(held[seat].pop(slot))
            held[seat] = sorted([*held[seat], pile.pop(0)])
            if seat == self.viewer:
                told += held[seat]
        return told

    def _changes(self) -> list[tuple[int, str]]:
        """(seat, horse given) of the changes in the last race; other seats give their first."""
        found: list[tuple[int, str]] = []
        for made in self.one.events:
            if isinstance(made, e.CertificatesDealt):
                found = []
            elif isinstance(made, e.ChangePlayed):
                seat = int(made.seat or 0)
                found.append((seat, (made.secret(seat) or {})["gave"]))
        return found

    def _replay(self) -> None:
        """The same course; other seats of two give the horse that they have in that place."""
        for seat, command in commands_of(self.one):
            own = table(self.other).certificates[seat - 1] or []
            named = isinstance(command, c.PlayWild) and command.certificate is not UNSET
            if named and seat != self.viewer and self.other.full.race == self.last:
                self.other.give(seat, change(own[0]))
            else:
                self.other.give(seat, command)


def wild(source: Random) -> Any:
    """Random play that changes certificates often; with two seats the first of them."""

    def choose(played: Played, seat: int) -> Command:
        view = played.view(seat)
        changes = [
            action
            for action in played.game.actions(view, seat).actions
            if isinstance(action, c.PlayWild) and action.option == "change"
        ]
        command = at_random(source)(played, seat)
        if changes and (command in changes or source.random() < 0.4):
            return changes[0]
        return command

    return choose


def commands_of(played: Played) -> list[tuple[int, Command]]:
    """(seat, command) of a meeting, from the start on."""
    kinds: dict[Any, type[Command]] = {
        kind.__struct_config__.tag: kind for kind in played.game.commands
    }
    found = []
    for made in played.events:
        body = command_in(made)
        if body is not None:
            found.append((int(made.seat or 0), msgspec.convert(body, kinds[body["type"]])))
    return found


def command_in(made: Event) -> dict[str, Any] | None:
    """The command that an event carries."""
    if made.command is not UNSET:
        return made.command
    if made.seat is UNSET:
        return None
    return (made.secret(made.seat) or {}).get("command")


CASES = [
    (viewer, seats, turn_order)
    for seats in (2, 3, 4, 5)
    for turn_order in ("basic", "derby")[: 1 + (seats > 2)]
    for viewer in (range(seats + 1) if seats in (2, 4) else (0, 1, seats))
]


@pytest.mark.parametrize(("viewer", "seats", "turn_order"), CASES)
def test_twin_meetings_look_the_same_to_a_viewer(viewer: int, seats: int, turn_order: str) -> None:
    """Hidden"""
    tried = 0
    for seed in range(3):
        options = {"turn_order": turn_order, "races": 1 + seed % 2}
        source = Random(f"{viewer} {seats} {turn_order} {seed}")
        try:
            twins = Twins(viewer, seats, options, source)
        except (IndexError, ValueError):
            continue  # the viewer has seen all there is: this deal has no twin
        alike(twins.one, twins.other, viewer)
        assert hidden(twins.one) != hidden(twins.other), "the twins really are two"
        tried += 1
    assert tried


def hidden(played: Played) -> list[Any]:
    """What is private in a meeting."""
    return [
        made.private
        for made in played.events
        if isinstance(made, e.CertificatesDealt | e.ChangePlayed)
    ]


@pytest.mark.parametrize("viewer", [0, 1, 3, 4])
def test_a_pick_is_hidden_until_all_have_picked(viewer: int) -> None:
    """Hidden: that it has picked is public."""
    one = race(4).give(2, pick(*PACK[:3]))
    other = race(4).give(2, pick(*PACK[5:8]))
    alike(one, other, viewer)
    assert seen(one, 2) != seen(other, 2)
    for played in (one, other):
        for seat in (1, 3, 4):
            played.give(seat, pick(*PACK[:3]))
    assert seen(one, viewer) != seen(other, viewer), "shown together"


@pytest.mark.parametrize("viewer", [0, 1, 2, 3])
def test_which_horses_a_change_gave_and_took_is_its_seats_alone(viewer: int) -> None:
    """Hidden, CH-W4"""
    one = at_turns(3, certificates=["yellow", "orange", "red", "green", "blue", "purple"])
    other = at_turns(3, certificates=["yellow", "orange", "red", "blue", "green", "purple"])
    for played in (one, other):
        played.give(1, CHANGE)
    if viewer == 1:
        assert seen(one, 1) != seen(other, 1)
        told = last_told(one, 1)
        assert (told["gave"], told["took"]) == ("yellow", "green")
    else:
        alike(one, other, viewer)
        told = last_told(one, viewer)
        assert set(told) == {"version", "at", "meeting", "type", "seat", "command"}


@pytest.mark.parametrize("viewer", [0, 2])
def test_with_two_seats_the_horse_named_is_hidden_too(viewer: int) -> None:
    """Hidden: the command that names it is private."""
    played = pick_all(race(2))
    one, other = fork(played).give(1, change("yellow")), fork(played).give(1, change("orange"))
    alike(one, other, viewer)
    assert "command" not in last_told(one, viewer)
    assert seen(one, 1) != seen(other, 1)


def test_a_refusal_tells_nothing_of_what_is_hidden() -> None:
    """Hidden: errors are those of what the seat knows."""
    for certificates in (["yellow", "orange", "red"], ["yellow", "purple", "blue"]):
        played = at_turns(3, certificates=certificates)
        listing = played.game.actions(played.view(1), 1)
        assert CHANGE in listing.actions
        assert [body_of(a) for a in listing.actions if isinstance(a, c.PlayWild)] == [
            {"type": "change-horses.play_wild", "option": "fast"},
            {"type": "change-horses.play_wild", "option": "change"},
        ]


@pytest.mark.parametrize("bot", ["random", "steady"])
def test_bots_choose_by_what_their_seat_may_know(bot: str) -> None:
    """Contract, Bots: other certificates of others change no choice."""
    for seed in range(3):
        twins = Twins(1, 4, {"turn_order": "derby"}, Random(f"bots {seed}"))
        one, other = Meeting(viewer=1), Meeting(viewer=1)
        pairs = zip(twins.one.events, twins.other.events, strict=False)
        for first, second in pairs:
            if isinstance(first, e.RaceEnded):
                break
            for view, made in ((one, first), (other, second)):
                known = redact(made, 1)
                if known is not None:
                    apply(view, known, twins.one.game)
            if one.might:
                decide = twins.one.game.bots[bot].decide
                assert decide(one, 1, Random(7)) == decide(other, 1, Random(7))


def test_what_is_public_is_shown_to_all() -> None:
    """Hidden: shown cards, board, bids, carrots, Wild Horses left, who has changed."""
    played = at_turns(3, turn_order="derby").give(1, CHANGE).give(1, card(PACK[0]))
    play_round(played)
    for viewer in range(4):
        shown = board(played, viewer)
        assert [place["wild_left"] for place in shown["seats"]] == [1, 2, 2]
        assert [place["changed"] for place in shown["seats"]] == [True, False, False]
        assert [place["carrots"] for place in shown["seats"]] == [33] * 3
        assert [place["shown"] for place in shown["seats"]] == [PACK[1:3]] * 3
        assert shown["auction"]["to_bid"] == 1
        assert len(shown["betting_board"]) == 3


def test_the_pile_is_shown_to_nobody_ever() -> None:
    """Hidden: only the horses without an owner are told by the results."""
    played = at_turns(3)
    line_up(played, 11, 11, 11, 11, 11, 11)
    play_round(played)
    for viewer in range(4):
        view = played.view(viewer)
        assert view.table.pile is None
        for made in played.events:
            known = redact(made, viewer)
            assert known is not None
            assert "server" not in (known.private or {})
