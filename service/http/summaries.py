"""Summaries as callers see them: what everybody may know of a meeting, and whether it was rated."""

from collections.abc import Sequence

from domain.racing.meeting import ABANDONED, FINISHED
from projections import lobby
from projections.results import Result
from service.http.deps import Deps
from service.ports import LogUnavailable


class MeetingSummary(lobby.Summary, kw_only=True):
    """A meeting as everybody may know it.

    Args:
        rated: whether it counts for ratings; null until its result is counted.
        unrated_reason: why it does not: `abandoned`, `arranged`, `own_options`, `one_owner` (a
            player had several seats), `built_in_bots_alone` (fewer than two others sat) or
            `unknown_bot`.
    """

    rated: bool | None = None
    unrated_reason: str | None = None


def shown(summary: lobby.Summary, result: Result | None = None) -> MeetingSummary:
    """A summary with the verdict on its result, where that is known."""
    told = MeetingSummary(**{name: getattr(summary, name) for name in summary.__struct_fields__})
    if summary.status == ABANDONED:
        told.rated, told.unrated_reason = False, ABANDONED
    elif result is not None:
        told.rated, told.unrated_reason = result.rated, result.reason
    return told


async def with_verdicts(deps: Deps, summaries: Sequence[lobby.Summary]) -> list[MeetingSummary]:
    """Summaries with what the view of results knows of them; it may be a moment behind."""
    finished = [summary.id for summary in summaries if summary.status == FINISHED]
    try:
        results = await deps.results.of(finished) if finished else {}
    except LogUnavailable:  # it is being built; nobody waits for it to see a meeting
        results = {}
    return [shown(summary, results.get(summary.id)) for summary in summaries]
