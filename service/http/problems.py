"""Every refusal there is: one table of codes, and the problem document that tells one (RFC 9457).

No other code is ever sent. The codes of play and of rules are Reasons of the domain; those of the
service are listed here. The same table answers GET /v1/problems and stands in the OpenAPI document.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import rejection
from domain.kernel.rejection import Reason
from domain.racing import lifecycle
from domain.registry import GAMES
from service.handling import STALE_DECISION, VERSION_AHEAD

MEDIA = "application/problem+json"


def _code(status: int, code: str, detail: str) -> Reason:
    return Reason(code=code, status=status, detail=detail)


# fmt: off
MALFORMED = _code(400, "malformed", "The request is not of the form that the call takes.")
UNAUTHORIZED = _code(401, "unauthorized", "A live token is needed: Authorization: Bearer <token>.")
NOT_YOUR_SEAT = _code(403, "not_your_seat", "The seat is not one of yours in this meeting.")
NOT_HOST = _code(403, "not_host", "The host of the meeting may do that, or an organiser where so.")
NOT_ALLOWED = _code(403, "not_allowed", "Your roles don't allow that.")
REGISTRATION_CLOSED = _code(403, "registration_closed", "Only an admin makes new players here.")
LOG_CLOSED = _code(403, "log_closed", "The full log is open once the meeting is over.")
NOT_FOUND = _code(404, "not_found", "There is nothing of this name.")
MEETING_NOT_FOUND = _code(404, "meeting_not_found", "There is no such meeting.")
SEAT_NOT_FOUND = _code(404, "seat_not_found", "The meeting has no such seat.")
PLAYER_NOT_FOUND = _code(404, "player_not_found", "There is no such player.")
GAME_NOT_FOUND = _code(404, "game_not_found", "There is no such game.")
METHOD_NOT_ALLOWED = _code(405, "method_not_allowed", "The header Allow names the methods here.")
NOT_ACCEPTABLE = _code(406, "not_acceptable", "This call has no answer in the form asked for.")
SEAT_REQUIRED = _code(409, "seat_required", "You hold several seats here: say which by `seat`.")
NOT_ALL_ASKED = _code(409, "not_all_asked", "Not every seat that still plays has asked for it.")
ADMIN_NEEDED = _code(409, "admin_needed", "The player `admin` stays an admin.")
BODY_TOO_LARGE = _code(413, "body_too_large", "The body is larger than GET /v1/limits says.")
UNSUPPORTED_MEDIA_TYPE = _code(415, "unsupported_media_type", "Bodies are application/json.")
KEY_REUSED = _code(422, "idempotency_key_reused", "The Idempotency-Key came with another body.")
RATE_LIMITED = _code(429, "rate_limited", "Too many calls; wait as Retry-After says.")
INTERNAL = _code(500, "internal", "The server failed at this; the operator finds it in the log.")
LOG_UNAVAILABLE = _code(503, "log_unavailable", "The event log can't be reached; try again.")
LOG_DIVERGED = _code(503, "log_diverged", "The log lost what was seen; an operator must decide.")
NEWER_RELEASE = _code(503, "newer_release", "A newer release goes on with this meeting; ask again.")
NOT_READY = _code(503, "not_ready", "A part that the server needs is not ready.")
# fmt: on

OWN: tuple[Reason, ...] = (
    MALFORMED,
    UNAUTHORIZED,
    NOT_YOUR_SEAT,
    NOT_HOST,
    NOT_ALLOWED,
    REGISTRATION_CLOSED,
    LOG_CLOSED,
    NOT_FOUND,
    MEETING_NOT_FOUND,
    SEAT_NOT_FOUND,
    PLAYER_NOT_FOUND,
    GAME_NOT_FOUND,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    SEAT_REQUIRED,
    NOT_ALL_ASKED,
    ADMIN_NEEDED,
    BODY_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    KEY_REUSED,
    RATE_LIMITED,
    INTERNAL,
    LOG_UNAVAILABLE,
    LOG_DIVERGED,
    NEWER_RELEASE,
    NOT_READY,
)
"""The service's own."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "unauthorized": "Who are you?",
        "internal": "The server failed",
    }
)
"""Titles that are not just the code in words."""


class ProblemCode(Struct, frozen=True, kw_only=True):
    """One code: what GET /v1/problems says of it.

    Args:
        type: the reference that problem documents carry.
        rules: ids of the rules that refuse so; [] where it is no rule of a game.
        games: ids of the games whose rules they are.
    """

    code: str
    status: int
    title: str
    type: str
    detail: str
    rules: list[str]
    games: list[str]


class Refusal(Exception):
    """A call is refused with a code of this table.

    Args:
        reason: which.
        detail: what a person reads, if not the reason's own words.
        headers: further headers of the answer.
        extra: further members of the document; None leaves one out.
    """

    def __init__(
        self,
        reason: Reason,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(reason.code)
        self.reason = reason
        self.detail = detail or reason.detail
        self.headers = headers or {}
        self.extra = extra


def title_of(code: str) -> str:
    """A code in words."""
    return TITLES.get(code) or code.replace("_", " ").capitalize()


def document(
    reason: Reason, detail: str | None = None, extra: Mapping[str, Any] | None = None
) -> bytes:
    """The problem document of a reason."""
    form: dict[str, Any] = {
        "type": f"/problems/{reason.code}",
        "title": title_of(reason.code),
        "status": reason.status,
        "detail": detail or reason.detail,
        "code": reason.code,
    }
    if reason.rule is not None:
        form["rule"] = reason.rule
    form.update((name, value) for name, value in (extra or {}).items() if value is not None)
    return msgspec.json.encode(form)


@cache
def play_reasons(game: str) -> tuple[Reason, ...]:
    """How a command of this game may be refused, apart from what every call may answer."""
    common = (
        rejection.MEETING_NOT_RUNNING,
        rejection.WRONG_PHASE,
        STALE_DECISION,
        *GAMES[game].reasons,
    )
    return tuple(dict.fromkeys(common))


@cache
def table(games: tuple[str, ...]) -> Mapping[str, ProblemCode]:
    """Every code that a server with these games can send, by code, in the order of the status.

    Raises:
        ValueError: one code stands for two statuses.
    """
    shared = (*OWN, STALE_DECISION, VERSION_AHEAD, *lifecycle.REASONS)
    told: dict[str, list[tuple[str, Reason]]] = {}
    for reason in dict.fromkeys(shared):
        told.setdefault(reason.code, []).append(("", reason))
    for game in games:
        for reason in play_reasons(game):
            told.setdefault(reason.code, []).append((game, reason))
    kinds = [_kind(code, of_code) for code, of_code in told.items()]
    return MappingProxyType({k.code: k for k in sorted(kinds, key=lambda k: (k.status, k.code))})


def _kind(code: str, told: list[tuple[str, Reason]]) -> ProblemCode:
    first = told[0][1]
    if any(reason.status != first.status for _, reason in told):
        raise ValueError(f"{code} is told with more than one status")
    ruled = [(game, reason) for game, reason in told if reason.rule is not None]
    return ProblemCode(
        code=code,
        status=first.status,
        title=title_of(code),
        type=f"/problems/{code}",
        detail=first.detail,
        rules=sorted({reason.rule for _, reason in ruled if reason.rule is not None}),
        games=sorted({game for game, _ in ruled}),
    )
