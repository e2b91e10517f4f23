"""Events told in a line each: those that mean the same in every game, beside a game's own."""

from collections.abc import Callable, Mapping

from service.terminal.plain import Json, Names

Teller = Callable[[Json, Names], str]
"""(event, names by seat) -> one line about it."""


def kind_of(event: Json) -> str:
    """What kind of event it is, without the game's name."""
    kind: str = event["type"].rpartition(".")[2]
    return kind


def line_of(event: Json, names: Names, own: Mapping[str, Teller]) -> str | None:
    """One line about an event, or None.

    Args:
        event: as any client gets it.
        names: what each seat is called.
        own: who tells the game's own events, by kind.
    """
    kind = kind_of(event)
    teller = own.get(kind) or SHARED.get(kind)
    return None if teller is None else teller(event, names)


def _taken(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} sits down."


def _begun(event: Json, names: Names) -> str:
    return "The meeting begins."


def _opened(event: Json, names: Names) -> str:
    of = "" if event["races"] is None else f" of {event['races']}"
    return f"── Race {event['race']}{of} ──"


def _finished(event: Json, names: Names) -> str:
    return "The meeting is over."


def _abandoned(event: Json, names: Names) -> str:
    return f"The meeting is abandoned: {event['reason']}"


SHARED: Mapping[str, Teller] = {
    "seat_taken": _taken,
    "meeting_started": _begun,
    "race_opened": _opened,
    "meeting_finished": _finished,
    "meeting_abandoned": _abandoned,
}
"""Who tells the events that all games have."""
