"""How a release reads the lines of its games' logs, each under the rules it was written under.

A line and its hash stay as they are for ever. What is read of it is the newest form of its event: a
form of earlier rules goes through its upcasts, one number after the other. So whoever folds knows
one form only. What a release does not know it refuses to read: it stops, it never skips.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Union

import msgspec

from domain.kernel.game import Game
from domain.kernel.message import Event, type_of
from domain.racing.events import SHARED_EVENTS, RulesChanged


class UnknownEvent(Exception):
    """The log holds what this release does not know: stop, never skip."""


class Forms:
    """The forms of a game's events, the present ones and those of its earlier rules.

    Args:
        game: as this release has it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.types: Mapping[str, type[Event]] = {
            type_of(kind): kind for kind in (*SHARED_EVENTS, *game.events)
        }
        self._any = Union[tuple(self.types.values())]  # noqa: UP007
        self.decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(self._any)
        self._decode = self.decoder.decode
        self._numbers = [*(earlier.rules for earlier in game.earlier), game.rules]

    def require(self, rules: str, after: str | None = None) -> None:
        """See to it that these rules are known, and come later than others.

        Raises:
            UnknownEvent.
        """
        if rules not in self._numbers:
            raise UnknownEvent(f"rules {rules} of {self.game.id}")
        if after is not None and self._numbers.index(rules) <= self._numbers.index(after):
            raise UnknownEvent(f"{self.game.id} goes back from rules {after} to {rules}")

    def read(self, body: bytes, rules: str) -> Event:
        """One stored line (canonical form) that was written under these rules, in the newest form.

        Raises:
            UnknownEvent: its type or its form is not known.
        """
        try:
            if rules == self.game.rules:
                event: Event = self._decode(body)
                return event
            form = self._upcast(msgspec.json.decode(body), rules)
            upcast: Event = msgspec.convert(form, self._any)
            return upcast
        except msgspec.ValidationError as fault:
            raise UnknownEvent(_told(body, self.types)) from fault

    def _upcast(self, form: dict[str, Any], rules: str) -> dict[str, Any]:
        self.require(rules)
        for earlier in self.game.earlier[self._numbers.index(rules) :]:
            upcast = earlier.upcasts.get(form["type"])
            if upcast is not None:
                form = upcast(form)
        return form


class Reading:
    """One log as it is read: which of its lines were written under which rules.

    Args:
        game: as this release has it.
        stretches: the first line of each stretch and its rules, ascending; of a new log [(1, …)].

    Raises:
        UnknownEvent: rules that are not known.
    """

    def __init__(self, game: Game, stretches: list[tuple[int, str]]) -> None:
        self.forms = forms_of(game)
        self.stretches = stretches
        for _, rules in stretches:
            self.forms.require(rules)

    def rules_at(self, seq: int) -> str:
        """The rules that a line was written under."""
        if len(self.stretches) == 1:
            return self.stretches[0][1]
        return self.stretches[bisect_right(self.stretches, seq, key=lambda s: s[0]) - 1][1]

    def read(self, seq: int, body: bytes) -> Event:
        """The event of a line. Lines may be read in any order, but new ones one after the other.

        Raises:
            UnknownEvent.
        """
        event = self.forms.read(body, self.rules_at(seq))
        if type(event) is RulesChanged:
            self.note(event)
        return event

    def read_all(self, first: int, bodies: Sequence[bytes]) -> list[Event]:
        """The events of lines that follow each other, the first of which has this number.

        Raises:
            UnknownEvent.
        """
        if len(self.stretches) == 1 and self.stretches[0][1] == self.forms.game.rules:
            decode = self.forms.decoder.decode
            try:
                events = [decode(body) for body in bodies]
            except msgspec.ValidationError:
                pass  # one after the other they tell which it is
            else:
                if RulesChanged not in set(map(type, events)):
                    return events
        return [self.read(seq, body) for seq, body in enumerate(bodies, first)]

    def note(self, event: Event) -> None:
        """Take up that the log goes over to other rules by this event.

        Raises:
            UnknownEvent: they are not known.
        """
        first, rules = self.stretches[-1]
        if type(event) is RulesChanged and event.seq > first:
            self.forms.require(event.rules, after=rules)
            self.stretches.append((event.seq, event.rules))


_forms: dict[int, Forms] = {}


def forms_of(game: Game) -> Forms:
    """The forms of a game, made once for each."""
    found = _forms.get(id(game))
    if found is None:  # it holds the game, so that its id stays its own
        found = _forms[id(game)] = Forms(game)
    return found


def _told(body: bytes, types: Mapping[str, type[Event]]) -> str:
    """What is not known about a line; nothing of its content is in it."""
    name = msgspec.json.decode(body).get("type")
    return f"the form of {name}" if name in types else f"the type {name}"
