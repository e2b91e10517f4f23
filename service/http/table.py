"""All operations of the server: what the app routes and what the document describes."""

from service.http import (
    catalogue,
    commands,
    ending,
    explaining,
    export,
    lobby,
    meetings,
    ops,
    players,
    seats,
    tokens,
    views,
)
from service.http.docs import operations as documents
from service.http.operation import Operation
from service.settings import Settings


def operations(settings: Settings) -> tuple[Operation, ...]:
    """Every operation, in the order of the document."""
    return (
        *players.OPERATIONS,
        *tokens.OPERATIONS,
        *catalogue.OPERATIONS,
        *meetings.OPERATIONS,
        *ending.OPERATIONS,
        *lobby.operations(settings),
        *seats.OPERATIONS,
        *commands.OPERATIONS,
        *views.operations(settings),
        *export.OPERATIONS,
        *ops.OPERATIONS,
        *explaining.OPERATIONS,
        *documents.OPERATIONS,
    )
