"""What each command leads to: guards in the order of reasons.py, then facts."""

from typing import Any

from msgspec import UNSET, to_builtins

from domain.games.tuyaux import commands as c
from domain.games.tuyaux import events as e
from domain.games.tuyaux import reasons as r
from domain.games.tuyaux.board import (
    PROGRAMMES,
    RACE_CARD_HORSE,
    RACE_CARD_VALUE,
    RACE_CARDS,
    RACE_DECKS,
    RACE_TIPS,
    TIP_HORSE,
    TIP_VALUE,
    by_table,
    races_most,
)
from domain.games.tuyaux.options import ASKED
from domain.games.tuyaux.settle import pay, ranking, winners
from domain.games.tuyaux.state import Table, left_of
from domain.games.tuyaux.track import move, tip_places, whip_value
from domain.kernel.message import SERVER, Command
from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Rejected
from domain.racing.draft import Draft
from domain.racing.events import MeetingFinished, RaceClosed, RaceOpened, Rank


def begin(draft: Draft) -> None:
    """The meeting starts: the dealer is drawn, race 1 opens (TU-T2)."""
    seats = draft.draw("dealer", range(1, draft.table.seats + 1))
    draft.record(e.DealerDrawn, dealer=seats[0], draws={"dealer": seats[:1]})
    open_race(draft, 1)


def open_race(draft: Draft, race: int) -> None:
    """Draw the programme and deal the starters' tips (TU-S4); the dealer moves on (TU-T2)."""
    t: Table = draft.table
    draft.record(RaceOpened, race=race, races=None)
    assert t.dealer is not None, "the dealer of race 1 is drawn before it"
    dealer = t.dealer if race == 1 else left_of(t.dealer, t.seats)
    label = f"race-{race}/programme"
    card = draft.draw(label, RACE_CARDS)[0]
    values = PROGRAMMES[card]
    draft.record(
        e.ProgrammeDrawn, dealer=dealer, card=card, values=dict(values), draws={label: [card]}
    )
    label = f"race-{race}/tips"
    tips = draft.draw(label, RACE_TIPS[card])
    count = len(values)
    private: dict[int | str, dict[str, Any]] = {}
    seat, at = dealer, 0
    for _ in range(t.seats):  # in blocks, from the seat left of the dealer
        seat = left_of(seat, t.seats)
        private[seat] = {"hand": by_table(tips[at : at + count])}
        at += count
    private[SERVER] = {"draws": {label: tips[:at]}}
    draft.record(e.TipsDealt, count=count, private=private)


def bet(draft: Draft, seat: int, command: c.Bet) -> None:
    """A seat bets in secret; with the last bet the race is off (TU-B1, TU-B2)."""
    t: Table = draft.table
    if t.has_bet[seat - 1]:
        raise Rejected(ALREADY_DONE)
    check_bet(t, command)
    understood = c.in_order(command)
    form: dict[str, Any] = to_builtins(e.BetForm.of(understood))
    draft.carry(understood, seat)
    draft.record(e.BetMade, seat=seat, private={seat: {"bet": form}}, secret_command=True)
    if t.bets_in == t.seats:
        if t.open_bets:
            draft.record(e.BetsRevealed, bets=t.made)
        turn_card(draft)


def check_bet(t: Table, command: c.Bet) -> None:
    """Refuse a bet on a horse that doesn't start, or that is not what the option asks (TU-B3)."""
    win = () if command.win is UNSET else command.win
    place = () if command.place is UNSET else (command.place,)
    tierce = () if command.tierce is UNSET else command.tierce
    starters = t.drawn.values
    if any(horse not in starters for horse in (*win, *place, *tierce)):
        raise Rejected(
            r.NOT_A_STARTER, f"A bet is on starters of this race: {', '.join(starters)}."
        )
    given = {
        name: horses
        for name, value, horses in (
            ("win", command.win, win),
            ("place", command.place, place),
            ("tierce", command.tierce, tierce),
        )
        if value is not UNSET
    }
    asked = ASKED[t.bets]
    if given.keys() != asked.keys():
        raise Rejected(r.BET_FIELDS, f"Give exactly {' and '.join(f'`{name}`' for name in asked)}.")
    for name, horses in given.items():
        if len(horses) != asked[name]:
            horses_asked = f"{asked[name]} horse{'' if asked[name] == 1 else 's'}"
            raise Rejected(r.BET_COUNT, f"`{name}` must name {horses_asked}, not {len(horses)}.")
    if any(len(set(horses)) != len(horses) for horses in given.values()):
        raise Rejected(r.BET_TWICE)


def turn_card(draft: Draft) -> None:
    """The next card of the race deck is turned, its horse moves at once (TU-T1, TU-M2)."""
    t: Table = draft.table
    label = f"race-{t.race}/race-deck"
    card = draft.draw(label, RACE_DECKS[t.drawn.card])[t.turn]
    lines, moved = move(t.lines, RACE_CARD_HORSE[card], RACE_CARD_VALUE[card])
    draft.record(
        e.CardTurned, turn=t.turn + 1, card=card, moved=moved, lines=lines, draws={label: [card]}
    )


def play_tip(draft: Draft, seat: int, command: c.PlayTip) -> None:
    """A tip moves its horse by its value less that of the race card turned (TU-M3)."""
    t: Table = draft.table
    if seat != t.to_play:
        raise Rejected(NOT_YOUR_TURN)
    card = command.card
    hand = t.hands[seat - 1]
    assert hand is not None, "the full meeting knows all hands"
    if card not in hand:
        raise Rejected(r.CARD_NOT_IN_HAND)

    value = TIP_VALUE[card]
    if value is None:
        last_turn = t.turn == t.turns
        value = whip_value(last_turn=last_turn, whips_before=t.whips, first_whip=t.first_whip)
    horse, turned = TIP_HORSE[card], t.turned[-1]
    places = tip_places(value, RACE_CARD_VALUE[turned], turned=RACE_CARD_HORSE[turned] == horse)
    lines, moved = move(t.lines, horse, places)
    draft.record(e.TipPlayed, seat=seat, card=card, moved=moved, lines=lines)
    if t.to_play:
        return
    if t.turn < t.turns:
        turn_card(draft)
    else:
        settle_race(draft)


def settle_race(draft: Draft) -> None:
    """Pay the bets, close the race, and open the next or end (TU-E1, TU-E2, TU-E3)."""
    t: Table = draft.table
    bets = [made for made in t.made if made is not None]
    assert len(bets) == t.seats, "every seat has bet before the race"
    values = t.drawn.values
    draft.record(
        e.RaceSettled,
        winners=winners(t.lines),
        bets=bets,
        pays=[pay(t.lines, values, made) for made in bets],
    )
    draft.record(RaceClosed, race=t.race)
    if max(t.coins) < t.target and t.race < races_most(t.target):
        open_race(draft, t.race + 1)
        return
    seed = draft.meeting.seed
    assert seed is not None, "only the full meeting decides"
    draft.record(
        MeetingFinished,
        ranking=[Rank(seat=s, rank=k, points=p) for s, k, p in ranking(t.coins, t.target)],
        seed=seed,
    )


DECIDE: dict[type[Command], Any] = {c.Bet: bet, c.PlayTip: play_tip}
