"""From what was raised to what is answered: the one place where exceptions become problems."""

import traceback
from collections.abc import Mapping
from typing import Any

from litestar.exceptions import HTTPException

from domain.kernel.rejection import Malformed, Reason, Rejected
from domain.racing.forms import UnknownEvent
from service.handling import MeetingUnknown
from service.http import problems as p
from service.http.call import Answer
from service.logs import get_logger
from service.players import PlayerUnknown
from service.ports import Diverged, KeyReused, LogUnavailable

RETRY_SECONDS = 2
"""What a 503 tells to wait."""

_log = get_logger("http")

_BY_STATUS: Mapping[int, Reason] = {
    400: p.MALFORMED,
    404: p.NOT_FOUND,
    405: p.METHOD_NOT_ALLOWED,
    413: p.BODY_TOO_LARGE,
}
_PLAIN: Mapping[type[BaseException], Reason] = {
    MeetingUnknown: p.MEETING_NOT_FOUND,
    PlayerUnknown: p.PLAYER_NOT_FOUND,
    KeyReused: p.KEY_REUSED,
}


def problem(
    reason: Reason,
    detail: str | None = None,
    extra: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """The answer that tells this reason."""
    told = dict(headers or {})
    if reason.status == 503:
        told.setdefault("Retry-After", str(RETRY_SECONDS))
    return Answer(
        status=reason.status,
        body=p.document(reason, detail, extra),
        media=p.MEDIA,
        headers=told,
    )


def answer_to(error: Exception) -> Answer:
    """The problem that tells this error; what is no refusal is logged, and answered with 500."""
    if isinstance(error, p.Refusal):
        return problem(error.reason, error.detail, error.extra, error.headers)
    if isinstance(error, Rejected):
        return problem(error.reason, error.detail, error.extra)
    if isinstance(error, Malformed):
        return problem(p.MALFORMED, error.detail, {"pointer": error.pointer})
    if isinstance(error, HTTPException) and error.status_code in _BY_STATUS:
        return problem(_BY_STATUS[error.status_code], headers=error.headers)
    plain = _PLAIN.get(type(error))
    if plain is not None:
        return problem(plain)
    if isinstance(error, Diverged):
        _log.critical("log_diverged", reason=str(error))
        return problem(p.LOG_DIVERGED)
    if isinstance(error, UnknownEvent):
        _log.warning("meeting_of_newer_release", reason=str(error))
        return problem(p.NEWER_RELEASE)
    if isinstance(error, LogUnavailable):
        _log.warning("log_unavailable", reason=str(error))
        return problem(p.LOG_UNAVAILABLE, _unsure(error))
    _log.error("call_failed", kind=type(error).__name__, at=_frames(error))
    return problem(p.INTERNAL)


def _unsure(error: Exception) -> str | None:
    if isinstance(error, LogUnavailable) and error.maybe_stored:
        return (
            "The event log did not answer, so whether this was done is not known: "
            "repeat it with the same Idempotency-Key, or look."
        )
    return None


def _frames(error: Exception) -> list[str]:
    """Where it failed, innermost last; the error's own words may hold what must not be logged."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
