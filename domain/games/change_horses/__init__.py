"""Change Horses: own a horse in secret, and be last. Rules: RULES.md beside this."""

from domain.games.change_horses.actions import actions, default
from domain.games.change_horses.arranged import ALWAYS, check_arranged
from domain.games.change_horses.audit import audit
from domain.games.change_horses.bot import BOTS
from domain.games.change_horses.commands import COMMANDS
from domain.games.change_horses.decide import DECIDE, begin
from domain.games.change_horses.events import EVENTS
from domain.games.change_horses.evolve import EVOLVE
from domain.games.change_horses.options import UNFIT, Options, read_options
from domain.games.change_horses.phases import PHASES, awaits, owes, waiting
from domain.games.change_horses.reasons import REASONS
from domain.games.change_horses.state import Table, initial
from domain.games.change_horses.view import Board, view
from domain.kernel.game import Game
from domain.racing.evolve import steps

GAME = Game(
    id="change-horses",
    title="Change Horses",
    seats=(2, 5),
    rules="1",
    options=Options,
    read_options=read_options,
    unfit=UNFIT,
    always_drawn=ALWAYS,
    check_arranged=check_arranged,
    commands=COMMANDS,
    system_commands=(),
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
