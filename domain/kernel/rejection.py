"""Refusals: a command is malformed (400) or refused for a reason of the game (403, 409, 422)."""

from typing import Any

import msgspec


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One way to refuse, named as a sentence.

    Args:
        code: stable, snake_case; the `code` of the problem document.
        status: the HTTP status it is told with (409 for the state of play, 422 for a rule).
        detail: what a person reads.
        rule: the rule id of the sheet, where a rule refuses.
    """

    code: str
    status: int
    detail: str
    rule: str | None = None


class Rejected(Exception):
    """A command was refused; nothing changed."""

    def __init__(self, reason: Reason, detail: str | None = None, **extra: Any) -> None:
        super().__init__(reason.code)
        self.reason = reason
        self.detail = detail or reason.detail
        self.extra = extra


class Malformed(Exception):
    """A body that is no command of this game.

    Args:
        detail: what is wrong, for a person.
        pointer: JSON pointer into the body; "" for the whole, None if it is not JSON.
    """

    def __init__(self, detail: str, pointer: str | None = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer


WRONG_PHASE = Reason(code="wrong_phase", status=409, detail="Not in this phase.")
NOT_YOUR_TURN = Reason(code="not_your_turn", status=409, detail="This seat may not do that now.")
ALREADY_DONE = Reason(code="already_done", status=409, detail="This may be done once only.")
MEETING_NOT_RUNNING = Reason(
    code="meeting_not_running", status=409, detail="The meeting is not running."
)


def rule(rule_id: str, code: str, detail: str) -> Reason:
    """A refusal by a rule of the sheet."""
    return Reason(code=code, status=422, detail=detail, rule=rule_id)
