"""The component schemas of the document: the service's own, and each game's under its name."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, get_args, get_origin

from domain.kernel.fitting import any_of, but
from domain.kernel.game import Game
from domain.kernel.message import Command, Event
from domain.racing.events import SHARED_EVENTS
from domain.registry import GAMES
from service.http.meetings import OpenMeeting
from service.http.operation import Form, Operation
from service.http.problem_form import PROBLEM
from service.http.schemas import (
    as_posted,
    as_shown,
    components,
    defaults_in_words,
    one_of,
    pascal,
    without_null,
)
from service.http.views import ActionList

Schema = dict[str, Any]
_REF = "#/components/schemas/"


class Components:
    """All component schemas that the operations need.

    Args:
        table: the operations.
    """

    def __init__(self, table: Iterable[Operation]) -> None:
        kinds = list(dict.fromkeys(kind for operation in table for kind in _kinds(operation)))
        _, found = components(kinds)
        self.schemas: dict[str, Schema] = {"Problem": PROBLEM, **found}
        for kind in kinds:
            if hasattr(kind, "unfit"):  # fields that don't go together
                self.schemas[kind.__name__] = {**found[kind.__name__], **but(kind.unfit)}
        for form in (form for operation in table for form in operation.answers.values()):
            if form is not None and get_origin(form.kind) is list:
                (kind,) = get_args(form.kind)
                self.schemas[_page_of(kind)] = _page(self.of(kind), {"type": ["string", "null"]})
        given: list[str] = []
        for game in GAMES.values():
            given += _names(pascal(game.id), (*game.commands, *game.system_commands))
        self.schemas["GivenCommand"] = _given(given)
        self._shared_events = self._events("", SHARED_EVENTS)
        for game in GAMES.values():
            self._add_game(game)
        self._add_unions()
        self.schemas = {name: deepcopy(self.schemas[name]) for name in sorted(self.schemas)}

    def body(self, operation: Operation) -> Schema:
        """The schema of an operation's body."""
        if operation.play:
            return _ref("Command")
        forms = [self.of(kind) for kind in operation.bodies]
        return forms[0] if len(forms) == 1 else {"oneOf": forms}

    def answer(self, form: Form) -> Schema:
        """The schema of an answer; of a list that of its page."""
        if form.schema is not None:
            return form.schema
        if get_origin(form.kind) is list:
            return _ref(_page_of(get_args(form.kind)[0]))
        return self.of(form.kind)

    def of(self, kind: Any) -> Schema:
        """The reference to a type's schema."""
        return _ref(kind.__name__)

    # ------------------------------------------------------------------ games

    def _add_game(self, game: Game) -> None:
        prefix = pascal(game.id)
        forms = [form for kind in game.commands for form in kind.forms]
        plain = [*game.commands, *game.system_commands, *forms, game.board, game.options]
        _, found = components(plain)
        own = {
            name: prefix + name
            for name, schema in found.items()
            if not self._is_shared(name, schema)
        }
        for name, schema in found.items():
            if name in own:
                self.schemas[own[name]] = _renamed(schema, own)
        for kind in (*forms, *game.commands):
            name = prefix + kind.__name__
            self.schemas[name] = as_posted(self.schemas[name])
        for kind in game.commands:
            if kind.forms:
                name = prefix + kind.__name__
                of_forms = [_ref(prefix + form.__name__) for form in kind.forms]
                self.schemas[name] = one_of(self.schemas[name], of_forms)
        options = prefix + game.options.__name__
        self.schemas[options] = without_null(self.schemas[options])
        _, sent = components([game.options])
        for name in own.keys() & {name for name, form in sent.items() if "properties" in form}:
            self.schemas[own[name]] = defaults_in_words(self.schemas[own[name]])
        board = self.schemas[prefix + game.board.__name__]
        board["properties"]["game"] = {"type": "string", "const": game.id}
        self.schemas[prefix + OpenMeeting.__name__] = self._open_meeting(game, options)
        given = _names(prefix, (*game.commands, *game.system_commands))
        self.schemas[prefix + "GivenCommand"] = _given(given)
        self._events(prefix, game.events)

    def _is_shared(self, name: str, schema: Schema) -> bool:
        return self.schemas.get(name) == schema

    def _open_meeting(self, game: Game, options: str) -> Schema:
        form = self.schemas[OpenMeeting.__name__]
        fewest, most = game.seats
        own = {
            "game": {"type": "string", "const": game.id},
            "seats": {"type": "integer", "minimum": fewest, "maximum": most},
            "options": _ref(options),
        }
        labels = game.always_drawn
        doubtful = any_of(
            (
                but({"propertyNames": {"enum": list(labels)}}),
                *({"required": [n], "properties": {n: but(form)}} for n, form in labels.items()),
            )
        )
        arranged = {"required": ["draws"], "properties": {"draws": doubtful}}
        unfit = any_of(
            (game.unfit, {"required": ["arranged"], "properties": {"arranged": arranged}})
        )
        words = f"{form['description']}\n\n{_FITS}"
        return {
            **form,
            "description": words,
            "properties": {**form["properties"], **own},
            **but(unfit),
        }

    def _events(self, prefix: str, kinds: Iterable[type[Event]]) -> list[str]:
        """Add events as feeds show them; their names."""
        names: list[str] = []
        for kind in kinds:
            secrets = [] if kind.seat_form is None else [kind.seat_form]
            _, found = components([kind, *secrets])
            stored = found.pop(kind.__name__)
            secret = found.pop(kind.seat_form.__name__) if kind.seat_form is not None else None
            own = {name: prefix + name for name in found if not self._is_shared(name, found[name])}
            for name, new in own.items():
                self.schemas[new] = _renamed(found[name], own)
            title = prefix + kind.__name__
            shown = _renamed(as_shown(kind, stored, secret), own)
            shown["properties"]["command"] = _ref(prefix + "GivenCommand")
            self.schemas[title] = shown
            names.append(title)
        return names

    # ------------------------------------------------------------------ unions

    def _add_unions(self) -> None:
        commands: list[str] = []
        events = list(self._shared_events)
        boards: list[str] = []
        opens: list[str] = []
        for game in GAMES.values():
            prefix = pascal(game.id)
            commands += _names(prefix, game.commands)
            events += _names(prefix, game.events)
            boards.append(prefix + game.board.__name__)
            opens.append(prefix + OpenMeeting.__name__)
        self.schemas["Command"] = _union(commands)
        actions = self.schemas[ActionList.__name__]["properties"]
        actions["actions"]["items"] = _ref("Command")
        actions["default"] = {"anyOf": [_ref("Command"), {"type": "null"}]}
        self.schemas["Event"] = _union(events)
        self.schemas["Board"] = _union(boards)
        self.schemas["OpenMeeting"] = _union(opens)
        self.schemas["EventPage"] = _page(
            _ref("Event"), {"type": ["integer", "null"]}, version={"type": "integer"}
        )
        self.schemas["CommandAnswer"] = {
            "description": "The caller's own view of what happened.",
            "type": "object",
            "properties": {
                "version": {"type": "integer"},
                "events": {"type": "array", "items": _ref("Event")},
                "board": _ref("Board"),
            },
            "required": ["version", "events", "board"],
        }


_FITS = (
    "What fits this schema is never malformed. Of arranged draws and courses of one's own it takes "
    "some that fit always; the rules of the game say which others do."
)


def _kinds(operation: Operation) -> list[Any]:
    forms = [form.kind for form in operation.answers.values() if form is not None]
    named = [get_args(k)[0] if get_origin(k) is list else k for k in forms if k is not None]
    return [*named, *(() if operation.play else operation.bodies)]


def _ref(name: str) -> Schema:
    return {"$ref": _REF + name}


def _names(prefix: str, kinds: Iterable[type[Command] | type[Event]]) -> list[str]:
    return [prefix + kind.__name__ for kind in kinds]


def _union(names: Iterable[str]) -> Schema:
    return {"oneOf": [_ref(name) for name in names]}


def _given(names: Iterable[str]) -> Schema:
    words = "The command that an event came of, without `seat` and `decision`."
    return {"description": words, **_union(names)}


def _page_of(kind: Any) -> str:
    return f"{kind.__name__}Page"


def _page(items: Schema, cursor: Schema, **beside: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"items": {"type": "array", "items": items}, "next_cursor": cursor, **beside},
        "required": ["items", "next_cursor", *beside],
    }


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    """The schema with its references to these components under their new names."""
    if isinstance(schema, list):
        return [_renamed(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    form = {key: _renamed(part, names) for key, part in schema.items()}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix(_REF)
        form["$ref"] = _REF + names.get(name, name)
    return form
