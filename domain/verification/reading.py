"""Lines as events of a game: strictly, as this release itself writes them; or as far as known."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.lines import canonical
from domain.kernel.message import SERVER, Event
from domain.racing.forms import forms_of
from domain.registry import event_decoder, event_types
from domain.verification.report import Report


def read_strictly(
    bodies: Sequence[bytes], game: Game, report: Report, before: int = 0
) -> list[Event]:
    """The events, where every line has the declared fields of its type and no other.

    What is private is a white list too: only the forms that the type declares, for seats and for
    the server.

    Args:
        bodies: lines that were all written under these rules.
        game: whose rules they are.
        report: what is wrong is noted in it.
        before: how many lines the log has before the first of them.
    """
    forms = forms_of(game)
    decode, known = forms.decoder.decode, forms.types
    events: list[Event] = []
    for number, body in enumerate(bodies, before + 1):
        try:
            event: Event = decode(body)
        except msgspec.ValidationError as error:
            report.add(number, f"no event of {game.id} as this release knows it: {error}")
            continue
        if canonical(event) != body:
            kind = known[event.__struct_config__.tag]  # type: ignore[index] # tags are text
            extra = sorted(set(msgspec.json.decode(body)) - {"type"} - set(kind.__struct_fields__))
            what = f"unknown fields {', '.join(extra)}" if extra else "a field has another form"
            report.add(number, what)
            continue
        for key, content in private_parts(event):
            what_private = private_problem(event, key, content)
            if what_private is not None:
                report.add(number, f"private.{key}: {what_private}")
        events.append(event)
    return events


def private_parts(event: Event) -> Iterable[tuple[str, dict[str, Any]]]:
    """What is private in an event, by whom it is for."""
    return () if event.private is msgspec.UNSET else event.private.items()


def private_problem(event: Event, key: str, content: dict[str, Any]) -> str | None:
    """What is wrong with the private part of an event for a seat or the server."""
    form = event.server_form if key == SERVER else event.seat_form
    if form is None:
        return "this type has nothing that is private to a seat"
    try:
        read = msgspec.convert(content, form, strict=True)
    except msgspec.ValidationError as error:
        return str(error)
    if canonical(msgspec.to_builtins(read)) != canonical(content):
        return "a field has another form"
    return None


def read_known(bodies: Sequence[bytes], game: str, report: Report) -> list[Event] | None:
    """The events as far as this release knows them; None if there are types that it does not know.

    For logs of other rules: they may have types and fields that came later.
    """
    decode = event_decoder(game).decode
    known = event_types(game)
    events: list[Event] = []
    unknown: set[str] = set()
    for number, body in enumerate(bodies, 1):
        name = msgspec.json.decode(body)["type"]
        if name not in known:
            unknown.add(name)
            continue
        try:
            events.append(decode(body))
        except msgspec.ValidationError as error:
            report.add(number, f"{name} has another form than it ever had: {error}")
    if unknown:
        report.notes.append(f"Types unknown to this release: {', '.join(sorted(unknown))}.")
        return None
    return events
