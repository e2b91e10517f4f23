"""The rules that a log was played under, stretch by stretch, each decided by whoever knows them.

A meeting that was running while its server was brought to a newer release goes over to its rules by
`rules_changed`. What came before is decided anew by the rules as they were, where their code is
still here; where it is not, draws and money alone can be recomputed, and that is said.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from domain.kernel.chance import SeededChance
from domain.kernel.game import Game
from domain.kernel.message import Event, type_of
from domain.racing.draft import chance_of
from domain.racing.events import RulesChanged
from domain.racing.folding import fold
from domain.racing.forms import Reading, UnknownEvent
from domain.racing.meeting import RUNNING, Meeting
from domain.verification.deciding import Deviation, decide_anew
from domain.verification.form import Fields, text
from domain.verification.reading import read_strictly
from domain.verification.report import Report, Stretch

CHANGED = type_of(RulesChanged)
_FINDING = re.compile(r"seq ([0-9]+): (.*)", re.DOTALL)


def stretches_of(events: Sequence[Fields]) -> list[Stretch]:
    """The stretches of a whole log, in order."""
    found: list[Stretch] = []
    for event in events:
        if event["seq"] == 1 or event["type"] == CHANGED:
            found.append(Stretch(rules=text(event, "rules") or "", first=event["seq"], last=0))
        found[-1].last = event["seq"]
    return found


def as_it_was(game: Game, rules: str) -> Game | None:
    """The game under these rules, where its code is still here."""
    if rules == game.rules:
        return game
    return next((earlier.game for earlier in game.earlier if earlier.rules == rules), None)


def are_known(game: Game, stretches: Sequence[Stretch]) -> bool:
    """Whether a release can read a log of these stretches: all numbers, and none goes back."""
    try:
        reading = Reading(game, [(1, stretches[0].rules)])
        for before, stretch in pairwise(stretches):
            if stretch.rules != before.rules:  # else deciding finds that nothing changed
                reading.forms.require(stretch.rules, after=before.rules)
    except UnknownEvent:
        return False
    return True


def check_rules(
    bodies: Sequence[bytes],
    game: Game,
    stretches: Sequence[Stretch],
    chance: SeededChance | None,
    report: Report,
) -> None:
    """Decide everything anew; then recompute draws and money without the rules, as a second look.

    Deciding makes a chance of its own when the meeting starts, from the same seed and nonces.
    """
    report.stretches.extend(stretches)
    for stretch in stretches:
        judge = as_it_was(game, stretch.rules)
        if judge is not None:
            _decide(bodies, judge, stretches, stretch, report)
        if not report.ok:
            return
    events = read_all(bodies, game, stretches, report)
    if events is None:
        return
    for stretch in stretches:
        if not stretch.decided:
            report.notes.append(
                f"Lines {stretch.first} to {stretch.last} were played under rules "
                f"{stretch.rules!r}, whose code this release does not have: draws and money were "
                "checked, the rules were NOT checked."
            )
    report.rules_checked = all(stretch.decided for stretch in stretches)
    try:
        findings = game.audit(events, chance)
    except Exception as fault:
        if report.rules_checked:
            raise
        findings = [f"draws and money can't be recomputed ({type(fault).__name__})"]
    report.draws_checked = True
    for finding in findings:
        add_finding(finding, report)


def _decide(
    bodies: Sequence[bytes],
    judge: Game,
    stretches: Sequence[Stretch],
    stretch: Stretch,
    report: Report,
) -> None:
    """Decide a stretch anew, from the meeting as the lines before it left it."""
    own = bodies[stretch.first - 1 : stretch.last]
    events = read_strictly(own, judge, report, before=stretch.first - 1)
    if not report.ok:
        return
    start: Meeting | None = None
    if stretch.first > 1:
        lines = bodies[: stretch.first - 1]
        earlier = read_all(lines, judge, stretches, report)
        start = None if earlier is None else _fold(earlier, judge, report)
        if start is None:
            return
    chance = chance_of(start) if start is not None and start.status == RUNNING else None
    try:
        decide_anew(events, judge, chance, start)
    except Deviation as deviation:
        report.add(deviation.line, deviation.what)
        return
    stretch.decided = True


def _fold(events: Sequence[Event], game: Game, report: Report) -> Meeting | None:
    try:
        return fold(events, game)
    except Exception as fault:  # what was not decided may hold anything
        report.add(events[-1].seq, f"the lines up to here make no meeting ({type(fault).__name__})")
        return None


def read_all(
    bodies: Sequence[bytes], game: Game, stretches: Sequence[Stretch], report: Report
) -> list[Event] | None:
    """Lines from the first on, each in the form that a game's events have now."""
    events: list[Event] = []
    try:
        reading = Reading(game, [(s.first, s.rules) for s in stretches if s.first <= len(bodies)])
        for number, body in enumerate(bodies, 1):
            events.append(reading.read(number, body))
    except UnknownEvent as fault:
        report.add(len(events) + 1, f"no event of {game.id} as this release knows it: {fault}")
        return None
    return events


def add_finding(finding: str, report: Report) -> None:
    """A finding of a game's audit as a problem of its line."""
    match = _FINDING.fullmatch(finding)
    if match is None:
        report.add(None, finding)
    else:
        report.add(int(match[1]), match[2])
