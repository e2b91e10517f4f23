"""Bookmaker: set odds, take bets, and let the cards run the race. Rules: RULES.md beside this."""

from domain.games.bookmaker.actions import actions, default
from domain.games.bookmaker.arranged import ALWAYS, check_arranged
from domain.games.bookmaker.audit import audit
from domain.games.bookmaker.bot import BOTS
from domain.games.bookmaker.commands import COMMANDS, SYSTEM_COMMANDS
from domain.games.bookmaker.decide import DECIDE, begin
from domain.games.bookmaker.events import EVENTS
from domain.games.bookmaker.evolve import EVOLVE
from domain.games.bookmaker.options import UNFIT, Options, read_options
from domain.games.bookmaker.phases import PHASES, awaits, may, owes, waiting
from domain.games.bookmaker.reasons import REASONS
from domain.games.bookmaker.state import Table, initial
from domain.games.bookmaker.view import Board, view
from domain.kernel.game import Game
from domain.racing.evolve import steps

GAME = Game(
    id="bookmaker",
    title="Bookmaker",
    seats=(2, 9),
    rules="1",
    options=Options,
    read_options=read_options,
    unfit=UNFIT,
    always_drawn=ALWAYS,
    check_arranged=check_arranged,
    commands=COMMANDS,
    system_commands=SYSTEM_COMMANDS,
    events=EVENTS,
    reasons=REASONS,
    table=Table,
    initial=initial,
    phases=PHASES,
    begin=begin,
    decide=DECIDE,
    evolve=steps(initial, EVOLVE),
    owes=owes,
    may=may,
    awaits=awaits,
    waiting=waiting,
    view=view,
    board=Board,
    actions=actions,
    default=default,
    bots=BOTS,
    audit=audit,
)

__all__ = ["GAME"]
