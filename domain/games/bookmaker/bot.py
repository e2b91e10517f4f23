"""The built-in bots of Bookmaker: they see what their seat's own folded state holds."""

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.actions import actions, all_odds, default
from domain.games.bookmaker.board import (
    FINISH,
    HORSES,
    ODDS_LEAST,
    ODDS_MOST,
    ODDS_SUM_LEAST,
    STAKE_LEAST,
    HorseName,
    by_card,
)
from domain.games.bookmaker.chances import chances_for, unseen_cards, win_chances
from domain.games.bookmaker.offers import (
    answerable,
    books_for,
    budget,
    has_bet,
    may_bet,
    may_declare,
)
from domain.games.bookmaker.state import ACCEPTED, Table
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import Meeting

EDGE_LEAST = 0.05
"""A bet is made from this expected gain per dollar on."""
CAUTION = 0.5
"""Half of what would make money grow fastest: the chances are estimates."""
RISK_SHARE = 0.5
"""A book risks at most this share of its cash on one bet above 10."""
JOKER_GAIN = 5.0
"""A joker is worth keeping for a better moment unless it earns this many dollars now."""


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over the listed actions."""
    command: Command = chooser.choice(actions(m, seat).actions)
    return command


def play_steady(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Odds, bets and answers by expected value from the cards that the seat knows."""
    t: Table = m.table
    match t.phase:
        case "exchange":
            return give_cards(t, seat)
        case "odds":
            return set_odds(t, seat)
        case "bets":
            command = bet_or_answer(t, seat)
        case "race":
            command = answer_joker(t, seat) if t.waiting else run(t, seat)
        case _:
            command = name_brocco(t, seat)
    fallback = default(m, seat)
    if command is not None:
        return command
    assert fallback is not None, "a bot is asked for a decision that its seat owes"
    return fallback


def give_cards(t: Table, seat: int) -> Command:
    """Tell the other bookmaker as little as can be: two cards of different horses."""
    hand = by_card(t.hands[seat - 1] or [])
    first = hand[0]
    other = next((card for card in hand[1:] if card.split("-")[0] != first.split("-")[0]), hand[1])
    return c.ExchangeCards(cards=by_card([first, other]))


def set_odds(t: Table, seat: int) -> Command:
    """Odds in proportion to the fair ones, as low as the sum of 10 allows."""
    chances = chances_for(t, seat)
    fair = {horse: 10 * (1 / max(chances[horse], 0.01) - 1) for horse in HORSES}
    low, high = 0.0, 5.0
    for _ in range(30):  # the least factor whose rounded odds still sum to 10
        middle = (low + high) / 2
        if sum(rounded(t, fair[horse] * middle) for horse in HORSES) >= ODDS_SUM_LEAST:
            high = middle
        else:
            low = middle
    odds = {horse: rounded(t, fair[horse] * high) for horse in HORSES}
    limits = {
        horse: 100 if chances[horse] * (odds[horse] / 10 + 1) < 1 - EDGE_LEAST else None
        for horse in HORSES
    }
    return c.SetOdds(odds=all_odds([odds[horse] for horse in HORSES]), limit=c.AllLimits(**limits))


def rounded(t: Table, tenths: float) -> int:
    """Odds on the meeting's step, within what is allowed."""
    whole = int(tenths // t.step) * t.step
    return min(max(whole, ODDS_LEAST), ODDS_MOST)


def bet_or_answer(t: Table, seat: int) -> Command | None:
    """Answer what waits, then bet where the odds are too high, then declare."""
    chances = chances_for(t, seat)
    if seat in t.bookmakers:
        answers = answerable(t, seat)
        if answers:
            return answer(t, seat, answers[0].bet, chances)
    if may_bet(t, seat):
        bet = best_bet(t, seat, chances)
        if bet is not None:
            return bet
    return c.Done() if may_declare(t, seat) else None


def answer(t: Table, seat: int, number: int, chances: dict[str, float]) -> Command:
    """All of an offer that is good for the book and that it can bear; else the least."""
    bet = t.bets[number - 1]
    least = 0 if t.phase == "race" else STAKE_LEAST
    good = chances[bet.horse] * (bet.tenths / 10 + 1) < 1 - EDGE_LEAST
    bearable = bet.stake * bet.tenths / 10 <= RISK_SHARE * t.cash[seat - 1]
    return c.AnswerBet(bet=number, stake=bet.stake if good and bearable else least)


def best_bet(t: Table, seat: int, chances: dict[str, float]) -> Command | None:
    """The offer with the best expected gain; a bettor's compulsory bet even at a loss (BM-B1)."""
    best: tuple[float, int, HorseName, int] | None = None
    for bookmaker in books_for(t, seat):
        odds = t.books[bookmaker].odds or {}
        for horse in HORSES:
            tenths = odds.get(horse, 0)
            tried = any(
                b.seat == seat and b.bookmaker == bookmaker and b.horse == horse for b in t.bets
            )
            if tenths and not tried:
                gain = chances[horse] * (tenths / 10 + 1) - 1
                if best is None or gain > best[0]:
                    best = (gain, bookmaker, horse, tenths)
    if best is None:
        return None
    gain, bookmaker, horse, tenths = best
    if gain >= EDGE_LEAST:
        wanted = CAUTION * gain / (tenths / 10) * budget(t, seat)
        stake = max(STAKE_LEAST, int(wanted // 10) * 10)
        if stake <= max(budget(t, seat), STAKE_LEAST):
            return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=stake)
    if seat not in t.bookmakers and not has_bet(t, seat):
        return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=STAKE_LEAST)
    return None


def profit(t: Table, seat: int, horse: str) -> float:
    """What the seat gains by the open bets if this horse wins."""
    gain = 0.0
    for bet in t.bets:
        if bet.status == ACCEPTED and bet.horse == horse:
            paid = bet.stake * (bet.tenths / 10 + 1)
            if bet.seat == seat:
                gain += paid
            if bet.bookmaker == seat:
                gain -= paid
    return gain


def answer_joker(t: Table, seat: int) -> Command:
    """Play the joker where the step is worth dollars; a winning step for a rival's horse never."""
    horse = t.moved_now
    assert horse is not None, "the race waits only after a horse moved"
    unseen = unseen_cards(t, seat)
    further = {**t.spaces, horse: t.spaces[horse] + 1}
    if further[horse] >= FINISH:
        after: dict[str, float] = {name: float(name == horse) for name in HORSES}
    else:
        after = win_chances(further, t.out, unseen, t.tokens)
    now = win_chances(t.spaces, t.out, unseen, t.tokens)
    gain = sum((after[name] - now[name]) * profit(t, seat, name) for name in HORSES)
    return c.PlayJoker() if gain > JOKER_GAIN else c.KeepJoker()


def run(t: Table, seat: int) -> Command | None:
    """In running: answer what waits in the own book, then turn."""
    answers = answerable(t, seat)
    if seat in t.bookmakers and answers:
        return answer(t, seat, answers[0].bet, chances_for(t, seat))
    return None


def name_brocco(t: Table, seat: int) -> Command:
    """The colour of which the last race showed the fewest cards: the one aside cannot be seen."""
    unseen = unseen_cards(t, seat)
    counts = {h: sum(card.startswith(h) for card in unseen) for h in HORSES}
    return c.NameBrocco(horse=max(HORSES, key=counts.__getitem__))


BOTS = {
    "random": Bot(name="random", rating=0.0, decide=play_random),
    "steady": Bot(name="steady", rating=15.0, decide=play_steady),
}
