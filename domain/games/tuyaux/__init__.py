"""Tuyaux: bet on a winner, and push the field with your tips. Rules: RULES.md beside this."""

from domain.games.tuyaux.actions import actions, default
from domain.games.tuyaux.arranged import ALWAYS, check_arranged
from domain.games.tuyaux.audit import audit
from domain.games.tuyaux.bot import BOTS
from domain.games.tuyaux.commands import COMMANDS, SYSTEM_COMMANDS
from domain.games.tuyaux.decide import DECIDE, begin
from domain.games.tuyaux.events import EVENTS
from domain.games.tuyaux.evolve import EVOLVE
from domain.games.tuyaux.options import UNFIT, Options, read_options
from domain.games.tuyaux.phases import PHASES, awaits, owes, waiting
from domain.games.tuyaux.reasons import REASONS
from domain.games.tuyaux.state import Table, initial
from domain.games.tuyaux.view import Board, view
from domain.kernel.game import Game
from domain.racing.evolve import steps

GAME = Game(
    id="tuyaux",
    title="Tuyaux",
    seats=(2, 7),
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
    may=None,
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
