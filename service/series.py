"""Many simulated meetings, in this process or in several; the same figures either way."""

import signal
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from domain.kernel.game import Game
from domain.registry import GAMES
from service.simulation import Field, Played, play

QUEUED = 2
"""Rounds that wait for each process, so that none is idle and an interrupt loses little."""


class Unverified(Exception):
    """A simulated meeting whose log does not verify: the rules or the verifier are wrong."""


class Series(Struct, frozen=True, kw_only=True):
    """What is to be played.

    Args:
        field: who plays what.
        meetings: how many, whole rounds.
        out: a folder for the logs, or None.
        verify: whether each log is verified.
    """

    field: Field
    meetings: int
    out: Path | None = None
    verify: bool = False


def run(series: Series, jobs: int = 1) -> Iterator[Played]:
    """Play all meetings; each as it ends, in no particular order where there are several jobs.

    Raises:
        Unverified, OSError (a log can't be written).
    """
    starts = range(0, series.meetings, len(series.field.bots))
    if jobs == 1:
        for start in starts:
            yield from _round(series, start)
        return
    todo = iter(starts)
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupt
    ) as pool:
        running: set[Future[list[Played]]] = set()
        try:
            while True:
                for start in islice(todo, QUEUED * jobs - len(running)):
                    running.add(pool.submit(play_round, series, start))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def play_round(series: Series, start: int) -> list[Played]:
    """The meetings of one round, every entrant once on every seat."""
    return list(_round(series, start))


def _round(series: Series, start: int) -> Iterator[Played]:
    game = GAMES[series.field.game]
    for meeting in range(start, start + len(series.field.bots)):
        yield _one(series, meeting, game)


def _one(series: Series, meeting: int, game: Game) -> Played:
    wants_log = series.verify or series.out is not None
    played = play(series.field, meeting, game, log=wants_log)
    lines = [line + b"\n" for line in played.log or []]
    if series.verify:
        _verify(meeting, lines)
    if series.out is not None:
        (series.out / f"{played.name}.ndjson").write_bytes(b"".join(lines))
    played.log = None
    return played


def _verify(meeting: int, lines: list[bytes]) -> None:
    from domain.verification import verify

    report = verify(lines)
    if not report.verified:
        found = [f"line {p.line}: {p.what}" for p in report.problems] or report.notes
        raise Unverified(f"meeting {meeting}: " + "; ".join(found))


def _ignore_interrupt() -> None:
    """Ctrl-C reaches the whole group; the parent alone says what becomes of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
