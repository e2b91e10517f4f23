"""What every game must hold, whichever games there are: none is named here.

Random play through the lists of actions; every list tried against the rules; every fold the same.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
import rfc8785

from domain.kernel.game import Game
from domain.kernel.lines import GENESIS, canonical, chain, redact, wire
from domain.kernel.message import PUBLIC, Command, type_of
from domain.racing.folding import fold
from domain.racing.forms import Reading
from domain.racing.meeting import FINISHED, FULL, Meeting
from domain.registry import GAMES, event_decoder, reading_of
from service.keeping import Kept, restore
from service.ports import Head, Line
from tests.kit.choices import every, option_values, pairwise
from tests.kit.meetings import Played, as_default, by_bots, seated
from tests.kit.walk import Walk

Case = tuple[str, int, dict[str, Any]]
NONCES = ("a", None, "lucky 7", "")


def seat_counts(game: Game) -> tuple[int, int]:
    """The fewest and the most."""
    return game.seats


def pairs() -> Iterator[Any]:
    """Every two values of two options, at fewest and most seats."""
    for game in GAMES.values():
        for seats in seat_counts(game):
            for number, options in enumerate(pairwise(option_values(game, seats))):
                yield pytest.param(game.id, seats, options, id=f"{game.id}-{seats}-{number}")


def begun(game: str, seats: int, options: dict[str, Any]) -> Played:
    """A meeting of these options, with some nonces."""
    return seated(Played(game, seats=seats, options=options), NONCES[:seats])


def walked(game: str, seats: int, options: dict[str, Any], looks: int) -> Walk:
    """A random meeting from begin to end."""
    source = Random(f"{game} {seats} {sorted(options.items(), key=str)}")
    return Walk(begun(game, seats, options), source, looks).run()


def encoded(meeting: Meeting) -> bytes:
    """A state as bytes, and the board and actions of its viewer just as they are sent."""
    game = GAMES[meeting.game]
    shown: list[Any] = [game.view(meeting)]
    if meeting.viewer > 0:
        shown.append(game.actions(meeting, meeting.viewer))
    state = msgspec.to_builtins(meeting, str_keys=True, order="sorted")
    return msgspec.json.encode([state, shown])


def lines_of(played: Played) -> list[Line]:
    """The log as it is stored."""
    lines, digest = [], GENESIS
    for event in played.events:
        body = canonical(event)
        digest = chain(digest, body)
        lines.append(Line(event.seq, body, digest))
    return lines


def check_whole(played: Played) -> None:
    """All that must hold of a meeting that is over."""
    assert played.full.status == FINISHED
    assert played.full.ranking is not None
    assert played.game.audit(played.events, played.chance) == []
    check_folds(played)
    check_redaction(played)
    check_snapshots(played)


def check_folds(played: Played) -> None:
    """Folding is the same twice, live, and from the written lines; written as RFC 8785 says."""
    game = played.game
    live = encoded(played.full)
    assert encoded(fold(played.events, game)) == live
    decode = event_decoder(game.id).decode
    bodies = [canonical(event) for event in played.events]
    assert reading_of(bodies[0]).forms.game is game
    read = [decode(body) for body in bodies]
    assert read == played.events
    assert encoded(fold(read, game)) == live
    for body in bodies:
        assert rfc8785.dumps(msgspec.json.decode(body)) == body
    for viewer in range(len(played.full.seats) + 1):
        known = [seen for event in played.events if (seen := redact(event, viewer)) is not None]
        assert encoded(fold(known, game, viewer)) == encoded(played.view(viewer))
        written = [decode(canonical(event)) for event in known]
        assert encoded(fold(written, game, viewer)) == encoded(played.view(viewer))


def check_redaction(played: Played) -> None:
    """A viewer is sent what is public and what is its own; of the envelope only what is meant."""
    for event in played.events:
        private = event.private or {}
        public = set(msgspec.to_builtins(event)) - {"seq", "audience", "private"}
        for viewer in range(len(played.full.seats) + 1):
            known = redact(event, viewer)
            if known is None:
                assert event.audience != PUBLIC
                continue
            own = private.get(str(viewer), {}) if viewer else {}
            assert set(wire(known, viewer, 1)) == {*public, *own, "version"}


def check_snapshots(played: Played) -> None:
    """A meeting kept, put away and taken out again goes on as if nothing was."""
    lines = lines_of(played)
    straight, stopped = (
        Kept(Reading(played.game, [(1, played.game.rules)]), Meeting(viewer=FULL), Head(0, GENESIS))
        for _ in range(2)
    )
    cuts = [len(lines) // 3, 2 * len(lines) // 3, len(lines)]
    at = 0
    for cut in cuts:
        straight.extend(lines[at:cut])
        stopped.extend(lines[at:cut])
        at = cut
        again = restore(stopped.snapshot())
        assert again is not None
        stopped = again
        assert encoded(stopped.full) == encoded(straight.full)
        for viewer in range(len(played.full.seats) + 1):
            assert encoded(stopped.view(viewer)) == encoded(straight.view(viewer))
            assert stopped.hidden[viewer] == straight.hidden[viewer]


@pytest.mark.parametrize(("game", "seats", "options"), list(pairs()))
def test_random_play_ends_and_nothing_but_the_listed_is_taken(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    """Pairwise options, at fewest and most seats."""
    walk = walked(game, seats, options, looks=3)
    assert walk.figures["positions"] > 0
    assert walk.figures["refused"] > walk.figures["positions"]
    check_whole(walk.played)


@pytest.mark.parametrize("game", list(GAMES))
def test_built_in_bots_play_whole_meetings(game: str) -> None:
    """Every bot against every other, from what its own seat sees."""
    bots = tuple(GAMES[game].bots)
    fewest, most = seat_counts(GAMES[game])
    cases = [(fewest, options) for options in pairwise(option_values(GAMES[game], fewest))]
    for seats, options in [(most, {}), *cases]:
        source = Random(f"{game} {seats}")
        played = begun(game, seats, options).play(by_bots(source, bots))
        check_whole(played)


@pytest.mark.parametrize("which", [0, -1])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_player_that_always_takes_the_first_or_the_last_action_ends_too(
    game: str, which: int
) -> None:
    """Contract, Actions: who knows nothing but the list finishes every game."""

    def stubborn(played: Played, seat: int) -> Command:
        return played.game.actions(played.view(seat), seat).actions[which]

    for seats in seat_counts(GAMES[game]):
        for options in ({}, *pairwise(option_values(GAMES[game], seats))[:3]):
            assert begun(game, seats, options).play(stubborn).full.status == FINISHED


@pytest.mark.parametrize("game", list(GAMES))
def test_meetings_are_played_by_defaults_alone(game: str) -> None:
    """As when all clocks run out."""
    for seats in range(GAMES[game].seats[0], GAMES[game].seats[1] + 1):
        check_whole(begun(game, seats, {}).play(as_default))


@pytest.mark.parametrize("game", list(GAMES))
def test_every_command_and_refusal_is_told_once(game: str) -> None:
    """Types begin with the game's id; phases know every command; reasons don't repeat."""
    kinds = [*GAMES[game].commands, *GAMES[game].system_commands]
    assert all(type_of(kind).startswith(f"{game}.") for kind in [*kinds, *GAMES[game].events])
    assert set(GAMES[game].decide) == set(kinds)
    assert {kind for table in GAMES[game].phases.values() for kind in table} == set(kinds)
    assert len(set(GAMES[game].reasons)) == len(GAMES[game].reasons)


SEATS = [(game.id, seats) for game in GAMES.values() for seats in range(*game.seats)] + [
    (game.id, game.seats[1]) for game in GAMES.values()
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_every_combination_of_options_plays_to_its_end(game: str, seats: int) -> None:
    """All of them, one meeting each; the figures are printed."""
    total: Counter[str] = Counter()
    for options in every(option_values(GAMES[game], seats)):
        walk = walked(game, seats, options, looks=1)
        check_whole(walk.played)
        total.update(walk.figures, meetings=1, events=len(walk.played.events))
    figures = ", ".join(f"{count:,} {name}" for name, count in sorted(total.items()))
    print(f"{game}, {seats} seats: {figures}")
