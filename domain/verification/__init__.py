"""Is this log honest? Asked of its bytes alone, offline, by anybody.

Four questions, cheapest first; each needs the ones before it: is the chain whole (form), is it one
meeting from opening to end (form), was chance as promised (promises), and do the rules lead from
command to event all the way (deciding). A log rewritten as a whole, with a seed of its own, passes
them all: it shows only against a hash that somebody kept.
"""

from collections.abc import Iterable, Sequence

from domain.kernel.chance import SeededChance
from domain.kernel.game import Game
from domain.racing.events import MeetingOpened
from domain.registry import GAMES
from domain.verification.deciding import Deviation, decide_anew, recorded_chance
from domain.verification.form import Fields, check_types, read_fields, read_lines, text
from domain.verification.promises import check_promises
from domain.verification.reading import read_known
from domain.verification.report import Facts, Problem, Report, Stretch
from domain.verification.stretches import add_finding, are_known, check_rules, stretches_of

__all__ = [
    "Deviation",
    "Facts",
    "Problem",
    "Report",
    "Stretch",
    "decide_anew",
    "lines_of",
    "recorded_chance",
    "verify",
]


def lines_of(data: bytes) -> list[bytes]:
    """A log file's content as lines with their ends; only LF ends a line."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def verify(lines: Iterable[bytes], expect: str | None = None) -> Report:
    """Verify the log of a meeting that is over.

    Args:
        lines: with their line ends, as a binary file yields them (or `lines_of`).
        expect: a hash kept from before (of the last line, or of any: a `race_closed` of the feed
            shows it); the log must have it.

    Returns:
        What was found; it never raises for what the lines hold.
    """
    report = Report(facts=Facts(), problems=[], notes=[])
    bodies, digests = read_lines(lines, report)
    if report.ok:
        events = read_fields(bodies, report)
        if events:
            note_facts(events, report)
        if report.ok:
            check_meeting(bodies, events, report)
    if expect is not None:
        look_for(expect, digests, report)
    return report


def look_for(expect: str, digests: Sequence[str], report: Report) -> None:
    """A hash kept from before, among those of the log."""
    if expect not in digests:
        report.add(None, "the hash expected is not in this log: it is another history")
        return
    report.expected_line = digests.index(expect) + 1
    if report.expected_line < len(digests):
        report.notes.append(
            f"The hash expected is that of line {report.expected_line}: it proves nothing about "
            "the lines after it."
        )


def note_facts(events: Sequence[Fields], report: Report) -> None:
    """What the log says of itself."""
    facts, first, last = report.facts, events[0], events[-1]
    facts.meeting = text(first, "meeting")
    facts.game, facts.rules = text(first, "game"), text(first, "rules")
    facts.races = sum(event["type"] == "race_closed" for event in events)
    if report.complete:
        facts.ending = last["type"]
        ranking = last.get("ranking")
        facts.ranking = ranking if isinstance(ranking, list) else None


def check_meeting(bodies: Sequence[bytes], events: Sequence[Fields], report: Report) -> None:
    """Chance as promised, then rules, or where they are others draws and money."""
    chance = check_promises(events, report)
    facts = report.facts
    check_types(events, facts.game or "", report)
    if not report.ok:
        return
    game = GAMES.get(facts.game or "")
    if game is None:
        report.notes.append(
            f"This release does not have the game {facts.game!r}: hashes, commitment, seed and "
            "nonces were checked; draws, money and rules were NOT."
        )
    elif are_known(game, stretches := stretches_of(events)):
        check_rules(bodies, game, stretches, chance, report)
    else:
        numbers = ", ".join(repr(stretch.rules) for stretch in stretches)
        report.notes.append(
            f"The log has rules {numbers}, this release has {game.rules!r}: "
            "the rules were NOT checked."
        )
        audit(bodies, game, chance, report)
    note_trust(report, started=chance is not None)


def audit(bodies: Sequence[bytes], game: Game, chance: SeededChance | None, report: Report) -> None:
    """Recompute draws and money without the rules of play."""
    events = read_known(bodies, game.id, report)
    if events is None:
        report.notes.append("Draws and money were NOT checked.")
    if events is None or not report.ok:
        return
    opened = events[0]
    fewest, most = game.seats
    if not isinstance(opened, MeetingOpened) or not fewest <= opened.seats <= most:
        report.add(1, f"{game.title} has {fewest} to {most} seats")
        return
    try:
        findings = game.audit(events, chance)
    except Exception as fault:  # the events were never decided: they may hold anything
        report.add(None, f"draws and money can't be recomputed ({type(fault).__name__})")
        return
    report.draws_checked = True
    for finding in findings:
        add_finding(finding, report)


def note_trust(report: Report, *, started: bool) -> None:
    """What the honesty of the draws rests on."""
    seat = report.facts.last_nonce_seat
    if report.facts.arranged:
        report.notes.append("The meeting was arranged: its host fixed the seed or some draws.")
    if not started:
        report.notes.append("Play never began: nothing was drawn.")
    elif seat is None:
        report.notes.append(
            "No seat gave a nonce: that the operator did not choose the seed is not proved."
        )
    else:
        report.notes.append(
            f"Seat {seat} gave the last nonce: unless that seat is the operator's own, nobody "
            "could choose the draws."
        )
