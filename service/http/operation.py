"""What an operation is: one row says everything that the app, the document and the metrics know.

A row names the handler, the form of what comes in and goes out, and every refusal. The checks that
all calls share run in the contract's order from these rows (`service.http.running`), so a handler
is left with three steps: take what was read, call the core, encode.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.kernel.rejection import Reason

if TYPE_CHECKING:
    from service.http.call import Answer, Call

Schema = dict[str, Any]

READS, WRITES, REGISTRATIONS = "reads", "writes", "registrations"
"""The rates; an operation without one touches no bucket."""


class Parameter(Struct, frozen=True, kw_only=True):
    """One parameter of the path or the query.

    Args:
        name: as it is written.
        meaning: a sentence.
        schema: its JSON Schema.
        read: text -> value; where the text is none ValueError, which says what is wanted. None
            for parts of the path.
    """

    name: str
    meaning: str
    schema: Schema
    read: Callable[[str], Any] | None = None


class Form(Struct, frozen=True, kw_only=True):
    """One form that an answer may have: a Struct, a schema written by hand, or a text.

    Args:
        kind: the Struct, if there is one.
        schema: else the JSON Schema.
        media: its media types, all of the same form.
        text: further media types, in which it is told as text.
    """

    kind: Any = None
    schema: Schema | None = None
    media: tuple[str, ...] = ("application/json",)
    text: tuple[str, ...] = ()


class Operation(Struct, frozen=True, kw_only=True):
    """One call.

    Args:
        id: operationId.
        method, path: as in the document; `{name}` stands for one part of the path.
        tag: chapter of the document.
        summary, meaning: a line, and what else there is to say.
        handle: call -> answer.
        token: "none" is read, "optional", or "required".
        hot: on the way of play: a token kept for two seconds is good enough.
        rate: whose bucket it touches.
        subject: finds what the path names, before anything else is read; raises the 404.
        path_parameters, query: parameters.
        headers: names of further request headers that it reads.
        bodies: forms that the body may have; () for none.
        body_needed: whether it must be there; one whose fields may all be left out need not.
        takes: (call, decoded body) -> the body as a form; the first of `bodies` where left out.
        keyed: whether an Idempotency-Key counts.
        answers: status -> form; None for an answer without a body.
        answer_headers: status -> {name: meaning}.
        refusals: every Reason beside those of all calls.
        play: whether it also answers with the reasons of the games.
    """

    id: str
    method: str
    path: str
    tag: str
    summary: str
    handle: "Callable[[Call], Awaitable[Answer]]"
    answers: Mapping[int, Form | None]
    meaning: str = ""
    token: str = "optional"
    hot: bool = False
    rate: str | None = READS
    subject: "Callable[[Call], Awaitable[None]] | None" = None
    path_parameters: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    headers: tuple[str, ...] = ()
    bodies: tuple[Any, ...] = ()
    body_needed: bool = True
    takes: "Callable[[Call, Any], Any] | None" = None
    keyed: bool = False
    answer_headers: Mapping[int, Mapping[str, str]] = {}
    refusals: tuple[Reason, ...] = ()
    play: bool = False
