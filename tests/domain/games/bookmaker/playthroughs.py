"""Whole meetings worth keeping: each race kind, each way a race or a meeting can end.

`python -m tests.domain.games.bookmaker.playthroughs` writes them anew: the log, and the public
board at its end. They lock the stored format and the rules: a difference is read before it is kept.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import CARDS, JOKER_KINDS, JOKERS, TROT_KINDS
from domain.games.bookmaker.decide.deck import hand_sizes
from domain.games.bookmaker.state import Table, bookmakers_of
from domain.kernel.chance import without
from domain.kernel.message import Command
from domain.racing import lifecycle
from tests.kit.meetings import Played, as_default, by_bots, seated
from tests.kit.recordings import Recordings

RED_NINE = ["red-1", "red-1", "red-2", "red-2", "red-3", "red-3", "red-4", "red-4", "red-5"]


class Race:
    """How a race is arranged; what is left out is filled up or drawn."""

    def __init__(
        self,
        kind: str,
        *,
        opened: Sequence[str] = (),
        hands: dict[int, list[str]] | None = None,
        tokens: Sequence[str] = (),
        turns: Sequence[str] = (),
    ) -> None:
        self.kind = kind
        self.opened = list(opened)
        self.hands = hands or {}
        self.tokens = list(tokens)
        self.turns = list(turns)

    def draws(self, race: int, seats: int) -> dict[str, list[str]]:
        """The lists that arrange it as a race of this number, where seat 1 leads race 1."""
        wanted = [*self.opened, *(card for hand in self.hands.values() for card in hand)]
        later = [*self.turns, *(card for card in self.tokens if card not in self.turns)]
        cards = [*CARDS, *(JOKERS if self.kind in JOKER_KINDS else ())]
        pool = without(cards, [*wanted, *later])
        assert pool is not None, "the cards arranged are those that there are"
        filler = [card for card in reversed(pool) if card not in JOKERS]
        opened = self.opened + [filler.pop() for _ in range(4 - len(self.opened))]
        dealt: list[str] = []
        for seat, size in enumerate(self._sizes(race, seats), 1):
            hand = self.hands.get(seat, [])
            dealt += hand + [filler.pop() for _ in range(size - len(hand))]
        under = f"race-{race}/"
        trot = self.kind in TROT_KINDS
        behind = dealt if trot else dealt + self.turns
        if self.kind in JOKER_KINDS:
            draws = {under + "deck": opened, under + "joker-deck": behind}
        else:
            draws = {under + "deck": opened + behind}
        if trot:
            draws |= {under + "trot": self.tokens, under + "turn": self.turns}
        return draws

    @staticmethod
    def _sizes(race: int, seats: int) -> list[int]:
        table = Table(
            seats=seats,
            step=10,
            in_running=False,
            brocco=False,
            cash_start=0,
            programme=[],
            cash=[],
            loan=[],
            borrowed=[],
            loans_count=[],
            bookmakers=bookmakers_of(1, race, seats),
        )
        return hand_sizes(table)


def arranged(seats: int, races: Sequence[Race], **options: Any) -> Played:
    """A meeting of arranged races, people on all seats, begun."""
    draws: dict[str, list[Any]] = {"bookmaker": [1]}
    for number, race in enumerate(races, 1):
        draws |= race.draws(number, seats)
    options["programme"] = [race.kind for race in races]
    return seated(Played(seats=seats, options=options, draws=draws))


def answering(*jokers: Command) -> Callable[[Played, int], Command]:
    """Defaults, but the first answers with a joker are these, then `play_joker` for ever."""
    left = list(jokers)

    def choose(played: Played, seat: int) -> Command:
        if played.full.table.phase == "race" and played.full.table.waiting:
            return left.pop(0) if left else c.PlayJoker()
        return as_default(played, seat)

    return choose


def keep_until(horse: Any, space: int) -> Command:
    """Keep a joker until a horse stands so far."""
    return c.KeepJoker(until=c.Until(horse=horse, space=space))


def plain_won() -> Played:
    """Two seats; a careful bot against a wild one."""
    played = Played(seats=2, seed=b"\x01" * 32)
    played.sit_bot(1, "steady").sit(2, "Ben", "seven horses").begin()
    return played.play(by_bots(Random(11)))


def of_seats(seats: int, cash: int = 1000) -> Callable[[], Played]:
    """So many seats at the default programme; the poor ones borrow."""

    def play() -> Played:
        played = seated(Played(seats=seats, options={"cash": cash}, seed=bytes([seats]) * 32))
        return played.play(as_default)

    return play


def wild_bets() -> Played:
    """Four seats, odds in tenths; offers wait, are answered, lapse; odds change, limits too."""
    options = {"programme": ["plain", "joker"], "odds_step": 0.1}
    played = seated(Played(seats=4, options=options, seed=b"\x21" * 32), ["a b", None, "~", "z9"])
    return played.play(by_bots(Random(5), ("random", "steady")), eager=Random(6), eagerness=0.3)


def every_bet() -> Played:
    """Two seats; an offer waits, is taken in part; odds change with limits; an offer lapses."""
    played = seated(Played(seats=2, draws={"bookmaker": [1]}))
    odds = c.AllOdds(red=3, blue=3, green=2, yellow=2)
    played.give(1, c.SetOdds(odds=odds, limit=c.AllLimits(red=50, blue=None, green=0, yellow=30)))
    played.give(2, c.PlaceBet(bookmaker=1, horse="red", stake=60, odds=3))
    played.give(1, c.AnswerBet(bet=1, stake=40))
    played.give(2, c.PlaceBet(bookmaker=1, horse="yellow", stake=30))
    played.give(2, c.PlaceBet(bookmaker=1, horse="red", stake=200))
    played.give(1, c.Borrow(amount=20))
    lower = c.AllOdds(red=2, blue=4, green=2, yellow=2)
    played.give(1, c.ChangeOdds(odds=lower, limit=100))
    played.give(1, c.ChangeOdds(odds=lower, limit=None))
    played.give(2, c.Done())
    return played.play(as_default)


def won_by_a_card(kind: str, seats: int = 2) -> Callable[[], Played]:
    """Red needs ten cards."""
    return lambda: _all_races(seats, Race(kind, tokens=FAR_TOKENS, turns=[*RED_NINE, "red-5"]))


FAR_TOKENS = ["yellow-10", "yellow-9", "green-10", "green-9"]
"""Where no horse comes to in these races but by the card that breaks its gait there."""


def _all_races(
    seats: int, race: Race, choose: Callable[[Played, int], Command] = as_default, **options: Any
) -> Played:
    races = 2 if seats in (2, 4) else seats
    return arranged(seats, [race] * races, **options).play(choose)


def won_by_a_turned_joker(kind: str) -> Callable[[], Played]:
    """The tenth step of red is that of a joker in the deck; one as the first card does nothing."""
    turns = ["joker", *RED_NINE, "joker"]
    return lambda: _all_races(2, Race(kind, tokens=FAR_TOKENS, turns=turns))


def won_by_a_joker_from_a_hand(kind: str, **options: Any) -> Callable[[], Played]:
    """Seat 2 keeps its joker for a card, then until red is on 9, and plays it there."""

    def play() -> Played:
        race = Race(kind, hands={2: ["joker"]}, tokens=FAR_TOKENS, turns=RED_NINE)
        answers = (c.KeepJoker(), keep_until("red", 9), c.PlayJoker())
        return _all_races(2, race, answering(*answers, *answers), **options)

    return play


def two_jokers_from_one_hand() -> Played:
    """Both jokers follow one card: eight cards, then two steps."""
    race = Race("joker", hands={1: ["joker", "joker"]}, turns=RED_NINE[:8])
    keep = keep_until("red", 8)
    return _all_races(2, race, answering(keep, c.PlayJoker(), c.PlayJoker(), keep))


def all_out(kind: str) -> Callable[[], Played]:
    """Every horse breaks its gait at the first step: all bets lose."""
    breaking = ["red-1", "blue-1", "green-1", "yellow-1"]
    return lambda: _all_races(2, Race(kind, tokens=breaking, turns=breaking))


BLUES = [card for card in CARDS if card.startswith("blue")]


def no_progress(kind: str, tokens: list[str], turns: list[str]) -> Callable[[], Played]:
    """All blue cards lie open or in hands, the other horses go out: nobody moves any more."""

    def play() -> Played:
        hands = {seat: BLUES[4 * seat : 4 * seat + 4] for seat in range(1, 5)}
        race = Race(kind, opened=BLUES[:4], hands=hands, tokens=tokens, turns=turns)
        return _all_races(4, race)

    return play


def won_after_a_reshuffle() -> Played:
    """Nine blue cards in the deck, the others out: blue wins in the second pass."""
    breaking = ["red-1", "green-1", "yellow-1"]
    hands = {1: BLUES[4:8], 2: BLUES[8:11]}
    race = Race(
        "trot", opened=BLUES[:4], hands=hands, tokens=[*breaking, "yellow-2"], turns=breaking
    )
    return _all_races(4, race)


def in_running(kind: str, seed: int) -> Callable[[], Played]:
    """Four seats, two bookmakers; bets between the cards."""

    def play() -> Played:
        options = {"in_running": True, "programme": [kind, kind]}
        played = seated(Played(seats=4, options=options, seed=bytes([seed]) * 32))
        return played.play(by_bots(Random(seed), ("steady",)), eager=Random(seed), eagerness=0.6)

    return play


def brocco(aside: str, options: dict[str, Any]) -> Callable[[], Played]:
    """Three poor seats; two name red, one blue."""

    def choose(played: Played, seat: int) -> Command:
        if played.full.table.phase == "brocco":
            return c.NameBrocco(horse="blue" if seat == 1 else "red")
        return as_default(played, seat)

    def play() -> Played:
        played = Played(seats=3, options={**options, "brocco": True}, draws={"brocco": [aside]})
        return seated(played).play(choose)

    return play


def abandoned_in_play() -> Played:
    """Two of three ask for it in mid-race, then the host ends it."""
    options = {"programme": ["joker_trot"] * 3}
    played = seated(Played(seats=3, options=options, draws={"bookmaker": [2]}))
    played.play(as_default, until=lambda p: p.full.race == 2 and p.full.table.phase == "bets")
    return played.ask_abandon(1).ask_abandon(3).abandon()


def abandoned_before_the_start() -> Played:
    """A seat is kept, taken, left, taken again; and nobody starts."""
    played = Played(seats=3, name=None, start="when_full")
    played.act(lambda d: lifecycle.reserve_seat(d, 3, "p-cleo", "Cleo"))
    played.sit(1, "Ann", "first").sit(3, "Cleo", "second")
    played.act(lambda d: lifecycle.leave_seat(d, 1))
    played.act(lambda d: lifecycle.reserve_seat(d, 1, "p-dai", "Dai"))
    played.act(lambda d: lifecycle.leave_seat(d, 1))
    return played.sit(1, "Eve").abandon("not_started")


def a_list_dropped() -> Played:
    """Lists that hang on cards that aren't arranged, and do not fit: each is dropped whole."""
    all_others = list(CARDS[1:])
    draws = {
        "bookmaker": [2],
        "race-1/deck": ["red-1"],
        "race-1/joker-deck": all_others,  # three of them lie open
        "race-2/deck": ["red-1"],
        "race-2/turn": all_others,  # and some are dealt
    }
    options = {"programme": ["joker", "trot"]}
    played = Played(seats=2, options=options, draws=draws, start="when_full")
    return seated(played, ["left", "right"], start=False).play(as_default)


def programme_of_all_kinds() -> Played:
    """Two seats, each kind once, bots of both sorts, the second nonce coming first."""
    options = {"programme": ["plain", "joker", "trot", "joker_trot"], "odds_step": 0.5}
    played = Played(seats=2, options={**options, "brocco": True}, seed=b"\x33" * 32)
    played.sit(2, "Ben", "two").sit(1, "Ann", "one").begin()
    return played.play(by_bots(Random(3), ("steady", "steady")))


MEETINGS: dict[str, Callable[[], Played]] = {
    "plain__won_by_a_card": plain_won,
    "joker__won_by_a_card": won_by_a_card("joker"),
    "joker__won_by_a_turned_joker": won_by_a_turned_joker("joker"),
    "joker__won_by_a_joker_from_a_hand": won_by_a_joker_from_a_hand("joker"),
    "joker__won_by_two_jokers_from_a_hand": two_jokers_from_one_hand,
    "trot__won_by_a_card": won_by_a_card("trot", 3),
    "trot__won_after_a_reshuffle": won_after_a_reshuffle,
    "trot__all_out": all_out("trot"),
    "trot__no_progress_in_the_second_pass": no_progress(
        "trot", ["red-2", "green-1", "yellow-1", "red-3"], ["red-5", "red-2", "green-1", "yellow-1"]
    ),
    "joker_trot__won_by_a_card": won_by_a_card("joker_trot"),
    "joker_trot__won_by_a_turned_joker": won_by_a_turned_joker("joker_trot"),
    "joker_trot__won_by_a_joker_from_a_hand": won_by_a_joker_from_a_hand("joker_trot"),
    "joker_trot__all_out": all_out("joker_trot"),
    "joker_trot__no_progress_in_the_first_pass": no_progress(
        "joker_trot", ["red-1", "green-1", "yellow-1", "red-2"], ["red-1", "green-1", "yellow-1"]
    ),
    "in_running_plain__won_by_a_card": in_running("plain", 2),
    "in_running_joker_trot__won": in_running("joker_trot", 4),
    "in_running_joker__won_by_a_joker_from_a_hand": won_by_a_joker_from_a_hand(
        "joker", in_running=True
    ),
    "brocco__shared_by_two": brocco("red-4", {"cash": 10}),
    "brocco__nobody_right": brocco("yellow-9", {"cash": 500}),
    "all_kinds__won": programme_of_all_kinds,
    "every_bet__won_by_a_card": every_bet,
    "wild_bets__won": wild_bets,
    "three_seats__won_by_a_card": of_seats(3),
    "five_seats__won_by_a_card": of_seats(5, cash=10),
    "nine_seats__won_by_a_card": of_seats(9),
    "arranged__a_list_dropped": a_list_dropped,
    "joker_trot__abandoned_in_play": abandoned_in_play,
    "open__abandoned_before_the_start": abandoned_before_the_start,
}
"""By name: what is played, and how it ends."""


BY_BOTS = frozenset(
    {
        "plain__won_by_a_card",
        "in_running_plain__won_by_a_card",
        "in_running_joker_trot__won",
        "all_kinds__won",
        "wild_bets__won",
    }
)
"""Those in which built-in bots choose: they change when a bot is taught better."""


if __name__ == "__main__":
    Recordings("bookmaker").write(MEETINGS)
