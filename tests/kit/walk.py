"""Random walks through a game by its lists of actions alone, and what must hold on the way."""

import json
from collections import Counter
from random import Random
from typing import Any

import msgspec
from jsonschema import Draft202012Validator
from msgspec import UNSET

from domain.kernel.game import Game, Listing
from domain.kernel.lines import canonical
from domain.kernel.message import Command, body_of, type_of
from domain.kernel.rejection import Malformed, Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import RUNNING, Meeting
from tests.kit.meetings import Played, moment
from tests.kit.mutations import mutations, strangers

_pack = msgspec.msgpack.Encoder().encode
_state = msgspec.json.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Meeting).decode


def copy_of(meeting: Meeting, game: Game) -> Meeting:
    """The same state, to try something in."""
    other = _unpack(_pack(meeting))
    other.table = msgspec.convert(other.table, game.table)
    return other


def key(command: Command) -> bytes:
    """What tells two commands apart."""
    return msgspec.json.encode(body_of(command), order="sorted")


class Walk:
    """One meeting played at random.

    Args:
        played: begun.
        source: of all choices.
        looks: how many of the first positions are looked at, about; later ones more and more
            seldom, but each new choice of commands twice at least.
        mutants: how many variants of each listed command are tried there.
    """

    def __init__(self, played: Played, source: Random, looks: int, mutants: int = 2) -> None:
        self.played = played
        self.game = played.game
        self.source = source
        self.looks = looks
        self.mutants = mutants
        self.checks = True
        self._unspoiled: tuple[int, Meeting, bytes] | None = None
        self._seen_by: tuple[int, int, Meeting] | None = None
        self.known: list[Command] = []
        self.services: set[type[Command]] = set()
        self.seen: Counter[frozenset[type[Command]]] = Counter()
        self.figures = {"commands": 0, "positions": 0, "accepted": 0, "refused": 0}

    def run(self) -> "Walk":
        """Play to the end."""
        self._note_services()
        while self.played.full.status == RUNNING:
            owed = self.game.awaits(self.played.full)
            if owed is not None:
                self.played.give(0, owed)
                continue
            seats = self._willing()
            assert seats, "somebody owes a decision, or the system does"
            seat = self.source.choice(seats)
            listing = self.game.actions(self.played.view(seat), seat)
            look = self.checks and self._wants_look(listing)
            if look:
                self.look(seat)
            before = self._decisions() if look else None
            command = self._choose(listing)
            self._give(seat, command, before)
        return self

    def _note_services(self) -> None:
        """Commands open to a seat that has no decision count for no decision anywhere."""
        for place in self.played.full.seats:
            if not self.game.might(self.played.view(place.seat), place.seat):
                self.services.update(type(c) for c in self._list(place.seat).actions)

    def _wants_look(self, listing: Listing) -> bool:
        choice = frozenset(type(command) for command in listing.actions)
        self.seen[choice] += 1
        seldom = self.looks / (self.looks + self.figures["commands"])
        return self.seen[choice] <= 2 or self.source.random() < seldom

    def _willing(self) -> list[int]:
        """Mostly seats that owe; at times one that only may, or one that only borrows."""
        owing = self.game.waiting(self.played.full)
        draw = self.source.random()
        every = [p.seat for p in self.played.full.seats]
        if draw < 0.02:
            return [s for s in every if self._list(s).actions] or owing
        if draw < 0.25:
            return [s for s in every if self.game.might(self.played.view(s), s)]
        return owing

    def _list(self, seat: int) -> Listing:
        return self.game.actions(self.played.view(seat), seat)

    def _choose(self, listing: Listing) -> Command:
        """A type first, so that rare ones come up and a long list of bets does not drown them."""
        kinds = list(dict.fromkeys(type(command) for command in listing.actions))
        kind = self.source.choice(kinds)
        if kind in self.services and len(kinds) > 1 and self.source.random() < 0.8:
            kind = self.source.choice([k for k in kinds if k is not kind])
        command: Command = self.source.choice([c for c in listing.actions if type(c) is kind])
        return command

    def _give(self, seat: int, command: Command, before: dict[int, Any] | None) -> None:
        self.figures["commands"] += 1
        self.known.append(command)
        if len(self.known) > 400:
            del self.known[:100]
        self.played.give(seat, command)
        if before is not None:
            self._check_decisions(seat, before)

    # ------------------------------------------------------------- lists

    def look(self, seat: int) -> None:
        """Try everything in this position, for this seat and another one."""
        self.figures["positions"] += 1
        self._note_services()
        every = [p.seat for p in self.played.full.seats]
        for looked_at in {seat, self.source.choice(every)}:
            self.check_seat(looked_at)

    def check_seat(self, seat: int) -> None:
        """The seat's list, default and schema, and that nothing unlisted is taken."""
        view = self.played.view(seat)
        owes, may = self.game.owes(view, seat), self.game.might(view, seat)
        assert owes == (seat in self.game.waiting(self.played.full)), "one answer to who owes"
        listing = self.game.actions(view, seat)
        bodies = [key(command) for command in listing.actions]
        assert len(set(bodies)) == len(bodies), "no two listed commands are the same"
        plain = [msgspec.json.encode(command, order="sorted") for command in listing.actions]
        assert plain == bodies, "whole numbers of listed commands are integers"
        assert (listing.schema is None) == listing.complete
        assert (view.decision is not None) == may
        own = [c for c in listing.actions if type(c) not in self.services]
        if not may:
            assert listing.complete
        if owes:
            assert own, "a seat that owes finds something to do"
        default = self.game.default(view, seat)
        assert (default is not None) == owes
        if default is not None:
            assert self.accepts(seat, default), "the default is legal"
            if listing.complete:
                assert key(default) in bodies
        schema = self._schema(listing)
        for command in listing.actions:
            assert self.accepts(seat, command), f"listed and refused: {command}"
            if schema is not None:
                assert schema.is_valid(json.loads(key(command))), command
        self._check_unlisted(seat, listing, set(bodies), schema)

    @staticmethod
    def _schema(listing: Listing) -> Any:
        if listing.schema is None:
            return None
        Draft202012Validator.check_schema(listing.schema)
        return Draft202012Validator(listing.schema)

    def _check_unlisted(self, seat: int, listing: Listing, bodies: set[bytes], schema: Any) -> None:
        """What is taken is listed, or where the list is a sample fits its schema."""
        for command in self._unlisted(seat, listing):
            written = self.accepts(seat, command)
            if written is None or type(command) in self.services:
                continue
            if schema is None:
                listed = written in bodies or self._leaves_out(seat, command, listing)
                assert listed, f"taken and not listed: {command}"
            else:
                assert schema.is_valid(json.loads(key(command))), f"outside the schema: {command}"
                assert schema.is_valid(json.loads(written)), f"outside the schema: {written!r}"

    def _leaves_out(self, seat: int, command: Command, listing: Listing) -> bool:
        """Whether a listed command says no more than what this one leaves out: both do the same."""
        fields = body_of(command).items()
        return any(
            fields <= body_of(full).items()
            and self.outcome(seat, full) == self.outcome(seat, command)
            for full in listing.actions
            if type(full) is type(command)
        )

    def outcome(self, seat: int, command: Command) -> list[bytes]:
        """What an accepted command writes, but for the command itself."""
        trial = copy_of(self.played.full, self.game)
        draft = Draft(trial, self.game, moment(self.played.clock), self.played.chance)
        lifecycle.decide(draft, seat, command)
        return [canonical(msgspec.structs.replace(e, command=UNSET)) for e in draft.events]

    def _unlisted(self, seat: int, listing: Listing) -> list[Command]:
        """Variants of listed commands, those of other seats, others from earlier or by form."""
        found: list[Command] = []
        actions = listing.actions
        if len(actions) > 12:
            actions = self.source.sample(actions, 12)
        for command in actions:
            found.extend(mutations(self.source, command, self.mutants))
        for place in self.played.full.seats:
            if place.seat != seat:
                others = self._list(place.seat).actions
                found.extend(self.source.sample(others, min(3, len(others))))
        found.extend(strangers(self.source, self.game.commands, self.known, 10))
        return found

    def accepts(self, seat: int, command: Command) -> bytes | None:
        """The body as understood where the game takes a command; None, and no change, where not."""
        trial, before = self._trial()
        draft = Draft(trial, self.game, moment(self.played.clock), self.played.chance)
        try:
            lifecycle.decide(draft, seat, command)
        except (Rejected, Malformed) as refusal:
            assert _state(trial) == before, "a refused command changes nothing"
            assert not draft.events
            self._unspoiled = (self.played.full.version, trial, before)
            if isinstance(refusal, Rejected):
                self._check_reason(refusal)
            told = (type(refusal), *vars(refusal).values())
            assert self._as_known_by(seat, command) == told, "a refusal tells what the seat knows"
            self.figures["refused"] += 1
            return None
        assert self._as_known_by(seat, command) is None, "what is taken tells what the seat knows"
        self.figures["accepted"] += 1
        first = draft.events[0]
        body = first.command or (first.secret(seat) or {}).get("command")
        assert isinstance(body, dict), "the first event carries the command"
        assert body["type"] == type_of(command)
        return msgspec.json.encode(body, order="sorted")

    def _as_known_by(self, seat: int, command: Command) -> tuple[Any, ...] | None:
        """The refusal that follows from what the seat alone knows; None where there is none.

        Else a command that is bound to be refused would tell what others hide.
        """
        version = self.played.full.version
        known, self._seen_by = self._seen_by, None
        if known is None or known[:2] != (version, seat):
            known = (version, seat, copy_of(self.played.view(seat), self.game))
        draft = Draft(known[2], self.game, moment(self.played.clock), None)
        try:
            lifecycle.decide(draft, seat, command)
        except (Rejected, Malformed) as refusal:
            self._seen_by = known
            return (type(refusal), *vars(refusal).values())
        except Exception:  # it is taken: from there on the decider needs what is hidden
            return None
        return None

    def _trial(self) -> tuple[Meeting, bytes]:
        """A copy of the state to try in, and its bytes; one that only refused serves again."""
        known, self._unspoiled = self._unspoiled, None
        if known is not None and known[0] == self.played.full.version:
            return known[1], known[2]
        trial = copy_of(self.played.full, self.game)
        return trial, _state(trial)

    def _check_reason(self, refusal: Rejected) -> None:
        reason = refusal.reason
        assert reason.status in (409, 422)
        named = reason.rule is not None or reason.code == "card_not_in_hand"
        assert (reason.status == 422) == named, "a 422 names its rule, but for a card not held"
        known = {*self.game.reasons, *lifecycle.REASONS}
        assert reason in known or reason.code == "wrong_phase", reason.code

    # ------------------------------------------------------------- decisions

    def _decisions(self) -> dict[int, Any]:
        """Each seat's decision, and what it might do."""
        found = {}
        for place in self.played.full.seats:
            view = self.played.view(place.seat)
            listed = [c for c in self._list(place.seat).actions if type(c) not in self.services]
            if len(listed) > 12:
                listed = self.source.sample(listed, 12)
            found[place.seat] = (view.decision, self.game.owes(view, place.seat), listed)
        return found

    def _check_decisions(self, actor: int, before: dict[int, Any]) -> None:
        """Who lost an action, or begins to owe, has a new number; and so has the actor."""
        for seat, (number, owed, listed) in before.items():
            view = self.played.view(seat)
            if view.decision is None:
                assert self.played.full.status != RUNNING or not self.game.might(view, seat)
                continue
            assert 0 < view.decision <= view.version
            begins = self.game.owes(view, seat) and not owed
            lost = any(self.accepts(seat, command) is None for command in listed)
            if seat == actor or number is None or begins or lost:
                assert view.decision != number, f"seat {seat} has the number of an earlier decision"
