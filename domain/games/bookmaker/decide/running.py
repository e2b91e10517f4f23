"""The race: cards, jokers, bets in running (BM-R, BM-J, BM-T, BM-I1)."""

from msgspec import UNSET

from domain.betting.odds import to_tenths
from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker import reasons as r
from domain.games.bookmaker.board import FINISH, HORSES, JOKER, ODDS_LEAST, ODDS_MOST, SHOWS_MOST
from domain.games.bookmaker.decide.deck import next_card
from domain.games.bookmaker.decide.prepare import odds_form
from domain.games.bookmaker.offers import waiting_bets
from domain.games.bookmaker.state import Table, asked
from domain.games.bookmaker.track import ending, turn
from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, WRONG_PHASE, Rejected
from domain.racing.draft import Draft

ONLY_BETWEEN_CARDS = "During a race this goes in running only, between two cards."


def start_race(draft: Draft) -> None:
    """Off: the cards run the race, or in running the first bookmaker turns them (BM-B6, BM-I1)."""
    t: Table = draft.table
    draft.record(e.RaceStarted, in_running=t.in_running)
    if not t.in_running:
        run(draft)


def run(draft: Draft) -> None:
    """Turn cards until the race ends or waits for jokers (BM-R1)."""
    while turn_next(draft):
        pass


def turn_next(draft: Draft) -> bool:
    """Turn the next card; whether another may follow at once."""
    t: Table = draft.table
    if len(t.turned) == t.deck_size:  # BM-R2: the next card is due and there is none
        draft.record(e.DeckReshuffled, cards_pass=t.cards_pass + 1)
    label, card = next_card(draft)
    step = turn(card, t.copied, t.spaces, t.out, t.tokens)
    draft.record(
        e.CardTurned,
        card=card,
        horse=step.horse,
        moved=step.moved,
        out=step.out,
        space=step.space,
        draws={label: [card]},
    )
    idle_pass = len(t.turned) == t.deck_size and not t.progress
    if end_race(draft, idle_pass):
        return False
    if step.moved and any(hand is not None and JOKER in hand for hand in t.hands):
        # BM-J2: where all are kept by an `until` it waits for nobody, and tells no other story
        draft.record(e.JokersAwaited)
        return resumed(draft)
    return True


def end_race(draft: Draft, idle_pass: bool = False) -> bool:
    """End the race if it is over (BM-R1, BM-R2, BM-T2)."""
    t: Table = draft.table
    how = ending(t.spaces, t.out, idle_pass)
    if how is None:
        return False
    winner = next((horse for horse in HORSES if t.spaces[horse] >= FINISH), None)
    draft.record(e.RaceEnded, winner=winner, how=how, out=list(t.out))
    return True


def require_asked(t: Table, seat: int) -> None:
    """Refuse a seat that is not waited for with a joker (BM-J2)."""
    if not t.waiting:
        raise Rejected(WRONG_PHASE, "The race waits for no joker now.")
    if seat in t.answered:
        raise Rejected(ALREADY_DONE)
    if not asked(t, seat):
        raise Rejected(r.JOKER_NONE)


def resumed(draft: Draft) -> bool:
    """Whether nobody is asked any more, so that the race goes on, which all are told (BM-J2)."""
    t: Table = draft.table
    if any(asked(t, seat) for seat in range(1, t.seats + 1)):
        return False
    draft.record(e.RaceResumed)
    return True


def go_on(draft: Draft) -> None:
    """After an answer: the next card, if it was the last that the race waited for."""
    t: Table = draft.table
    if resumed(draft) and not t.in_running:
        run(draft)


def play_joker(draft: Draft, seat: int, command: c.PlayJoker) -> None:
    """The horse that just moved goes one further, and may win (BM-J2)."""
    t: Table = draft.table
    require_asked(t, seat)
    horse = t.moved_now
    assert horse is not None, "the race waits only after a horse moved"
    draft.record(e.JokerPlayed, seat=seat, horse=horse, space=t.spaces[horse] + 1)
    if not end_race(draft):
        go_on(draft)


def keep_joker(draft: Draft, seat: int, command: c.KeepJoker) -> None:
    """The joker stays in hand for this card, or until a horse stands far enough (BM-J2)."""
    t: Table = draft.table
    require_asked(t, seat)
    content: dict[str, object] = {}
    if command.until is not UNSET:
        horse, space = command.until.horse, command.until.space
        if horse in t.out:
            raise Rejected(r.UNTIL_OUT)
        if not t.spaces[horse] < space <= FINISH:
            raise Rejected(r.UNTIL_SPACE)
        content["until"] = {"horse": horse, "space": space}
    draft.record(
        e.JokerKept,
        seat=seat,
        audience=(seat,),
        private={seat: content},
        secret_command=True,
    )
    go_on(draft)


def turn_card(draft: Draft, seat: int, command: c.TurnCard) -> None:
    """In running: the first bookmaker turns the next card; offers that wait lapse (BM-I1)."""
    t: Table = draft.table
    if not t.between_cards:
        raise Rejected(WRONG_PHASE, ONLY_BETWEEN_CARDS)
    if seat != t.bookmakers[0]:
        raise Rejected(NOT_YOUR_TURN)
    lapsed = [b.bet for b in waiting_bets(t)]
    if lapsed:
        draft.record(e.BetsLapsed, bets=lapsed)
    turn_next(draft)


def show_odds(draft: Draft, seat: int, command: c.ShowOdds) -> None:
    """In running: a bookmaker opens its book between two cards (BM-I1)."""
    t: Table = draft.table
    if not t.between_cards:
        raise Rejected(WRONG_PHASE, ONLY_BETWEEN_CARDS)
    if seat not in t.bookmakers:
        raise Rejected(NOT_YOUR_TURN)
    book = t.books[seat]
    odds: dict[str, int] = {horse: 0 for horse in HORSES}
    for horse in HORSES:
        shown = getattr(command.odds, horse)
        if shown is UNSET:
            continue
        tenths = to_tenths(shown)
        if tenths is None or tenths % t.step or not ODDS_LEAST <= tenths <= ODDS_MOST:
            raise Rejected(r.SHOW_RANGE)
        if horse in t.out:
            raise Rejected(r.SHOW_OUT)
        odds[horse] = tenths
    if book.shows >= SHOWS_MOST:
        raise Rejected(r.SHOW_TOO_MANY)
    before = book.odds or {}
    lapsed = [b.bet for b in waiting_bets(t, seat) if odds[b.horse] != before[b.horse]]
    draft.record(e.RunningOddsShown, seat=seat, odds=odds_form(odds))
    if lapsed:  # BM-B3 holds in running too
        draft.record(e.BetsLapsed, bets=lapsed)
