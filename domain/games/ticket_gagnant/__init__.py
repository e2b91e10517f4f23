"""Ticket Gagnant: predict the podium, then move the horses. Rules: RULES.md beside this."""

from domain.games.ticket_gagnant.actions import actions
from domain.games.ticket_gagnant.arranged import ALWAYS, check_arranged
from domain.games.ticket_gagnant.audit import audit
from domain.games.ticket_gagnant.bot import BOTS, default
from domain.games.ticket_gagnant.commands import COMMANDS, SYSTEM_COMMANDS
from domain.games.ticket_gagnant.decide import DECIDE, begin
from domain.games.ticket_gagnant.events import EVENTS
from domain.games.ticket_gagnant.evolve import EVOLVE
from domain.games.ticket_gagnant.options import UNFIT, Options, read_options
from domain.games.ticket_gagnant.phases import PHASES, awaits, owes, waiting
from domain.games.ticket_gagnant.reasons import REASONS
from domain.games.ticket_gagnant.state import Table, initial
from domain.games.ticket_gagnant.view import Board, view
from domain.kernel.game import Game
from domain.racing.evolve import steps

GAME = Game(
    id="ticket-gagnant",
    title="Ticket Gagnant",
    seats=(2, 6),
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
