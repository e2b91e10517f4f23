"""From what was raised to what is answered: the one place where exceptions become problems."""

import traceback
from collections.abc import Mapping
from typing import Any

from litestar.exceptions import HTTPException

from domain.kernel.rejection import Malformed, Reason, Rejected
from domain.racing.forms import UnknownEvent
from service.archive.content import Damaged, Missing
from service.handling import MeetingUnknown
from service.http import problems as p
from service.http.call import Answer
from service.logs import get_logger
from service.players import PlayerUnknown
from service.ports import Diverged, KeyReused, LogUnavailable

RETRY_SECONDS = 2
"""What a 503 tells to wait."""

PERSON_SECONDS = 60
"""The same where no waiting heals and a person must act: a client that goes by the status alone
comes seldom."""

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
        wait = PERSON_SECONDS if reason is p.LOG_DIVERGED else RETRY_SECONDS
        told.setdefault("Retry-After", str(wait))
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
        return problem(p.LOG_DIVERGED, _of_archive(error))
    if isinstance(error, UnknownEvent):
        _log.warning("meeting_of_newer_release", reason=str(error))
        return problem(p.NEWER_RELEASE)
    if isinstance(error, LogUnavailable):
        _log.warning("log_unavailable", reason=str(error))
        return problem(p.LOG_UNAVAILABLE, _unsure(error))
    _log.error("call_failed", kind=type(error).__name__, at=_frames(error))
    return problem(p.INTERNAL)


def _of_archive(error: Diverged) -> str | None:
    """What is said where the log is whole, and a file of the archive is not."""
    if not isinstance(error, Damaged):
        return None
    what = "is missing in" if isinstance(error, Missing) else "was changed or damaged in"
    return (
        f"What is asked for {what} the archive, so it is not shown; an operator must lay the file "
        "back. Everything else goes on."
    )


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
