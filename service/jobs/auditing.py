"""The standing check of a meeting that is over: every draw and every dollar recomputed.

It knows no rules of play, only what each event says; a finding means that a release decided wrongly
or that the log was touched, and a person has to look at it.
"""

from domain.racing.draft import chance_of
from service.handling import Meetings
from service.logs import get_logger

log = get_logger("jobs.auditing")


async def audit(meetings: Meetings, meeting: str) -> list[str]:
    """What is wrong with a meeting that is over, as its game's audit says; it is logged.

    Raises:
        MeetingUnknown, Diverged, LogUnavailable.
    """
    kept = await meetings.fresh(meeting)
    events = [kept.read(line) for line in await meetings.log.read(meeting)]
    findings = kept.game.audit(events, chance_of(kept.full))
    if findings:
        log.error("audit_failed", meeting=meeting, findings=len(findings))
    else:
        log.info("meeting_audited", meeting=meeting, count=len(events))
    return findings
