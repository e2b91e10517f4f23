"""The built-in bots of Bookmaker: they see what their seat's own folded state holds.

`random` takes any listed action. `steady` reckons each horse's chance from the cards that it knows
(chances.py), weighs it by what its bets and its book already hang on it (worth.py), and then sets
odds, bets, answers and plays jokers by expected value.

Ratings are what `python -m tests.bench.ratings` measures: 900 meetings at tables of every size, the
options at their defaults, nine players of each bot, rated as people are until ratings have settled.
A newcomer is believed to be half-way between the two.
"""

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.actions import actions, default
from domain.games.bookmaker.bot.bets import bet
from domain.games.bookmaker.bot.book import answer, change_odds, set_odds, show_odds
from domain.games.bookmaker.bot.cards import answer_joker, give_cards, name_brocco
from domain.games.bookmaker.offers import may_declare
from domain.games.bookmaker.state import Table
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import Meeting


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over the listed actions."""
    command: Command = chooser.choice(actions(m, seat).actions)
    return command


def play_steady(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """What the seat owes, by expected value from the cards that it knows."""
    t: Table = m.table
    command: Command | None
    match t.phase:
        case "exchange":
            command = give_cards(t, seat)
        case "odds":
            command = set_odds(t, seat)
        case "bets":
            command = answer(t, seat) or change_odds(t, seat) or bet(t, seat)
            if command is None and may_declare(t, seat):
                command = c.Done()
        case "race" if t.waiting:
            command = answer_joker(t, seat)
        case "race":
            command = answer(t, seat) or show_odds(t, seat)
        case _:
            command = name_brocco(t, seat)
    command = command or default(m, seat)
    assert command is not None, "a bot is asked for a decision that its seat owes"
    return command


def volunteer_steady(m: Meeting, seat: int, chooser: Chooser) -> Command | None:
    """Where the seat owes nothing: better odds in its book, and bets and odds in running."""
    t: Table = m.table
    if t.phase == "bets":
        return change_odds(t, seat)
    if t.between_cards:
        return answer(t, seat) or show_odds(t, seat) or bet(t, seat)
    return None


BOTS = {
    "random": Bot(name="random", rating=16.0, decide=play_random),
    "steady": Bot(name="steady", rating=33.0, decide=play_steady, volunteer=volunteer_steady),
}
