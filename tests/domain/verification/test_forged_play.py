"""Who did what, when and in which order, forged with all hashes made anew: the rules find it."""

import pytest

from domain.kernel.chance import salt
from tests.kit.forging import Events, Forgery, at, insert, of
from tests.kit.recorded import assert_found


def a_bet_after_the_start(events: Events) -> None:
    """Offered while the race runs."""
    bet = dict(of(events, "bet_placed"))
    bet["bet"] += 1
    events.insert(at(events, of(events, "card_turned", 3)), bet)


def a_bet_after_the_result(events: Events) -> None:
    """Offered when the winner is known."""
    bet = dict(of(events, "bet_placed"))
    bet["bet"] += 1
    bet["at"] = of(events, "race_ended")["at"]
    events.insert(at(events, of(events, "race_ended")) + 1, bet)


def a_bet_of_the_lone_bookmaker(events: Events) -> None:
    """With itself."""
    done = of(events, "done_declared")
    book = of(events, "cards_opened")["bookmakers"][0]
    content = {"bookmaker": book, "horse": "red", "stake": 10}
    command = {"type": "bookmaker.place_bet", **content}
    insert(
        events,
        at(events, done),
        type="bookmaker.bet_placed",
        seat=book,
        bet=9,
        odds=3,
        command=command,
        **content,
    )


def a_settlement_twice(events: Events) -> None:
    """The race is paid a second time."""
    settled = of(events, "race_settled")
    events.insert(at(events, settled) + 2, dict(settled))


def a_settlement_too_early(events: Events) -> None:
    """Before the race has ended."""
    settled = of(events, "race_settled")
    events.remove(settled)
    events.insert(at(events, of(events, "race_ended")), settled)


def no_settlement(events: Events) -> None:
    """The race closes unpaid."""
    events.remove(of(events, "race_settled"))


def a_race_less(events: Events) -> None:
    """The second race is cut out."""
    start = at(events, of(events, "race_opened", 1))
    end = at(events, of(events, "race_closed", 1))
    del events[start : end + 1]


def declared_twice(events: Events) -> None:
    """The same seat is done again."""
    done = of(events, "done_declared")
    events.insert(at(events, done), dict(done))


def never_declared(events: Events) -> None:
    """The race starts without it."""
    events.remove(of(events, "done_declared"))


def a_command_for_another_seat(events: Events) -> None:
    """Who gave it."""
    of(events, "bet_placed")["seat"] = of(events, "bet_placed")["bookmaker"]


def a_command_made_secret(events: Events) -> None:
    """What was public stands under private."""
    bet = of(events, "bet_placed")
    seed = bytes.fromhex(events[0]["private"]["server"]["seed"])
    secret = {"command": bet.pop("command")}
    bet["private"] = {str(bet["seat"]): secret, "server": {"salt": salt(seed, bet["seq"])}}


def a_secret_command_made_public(events: Events) -> None:
    """What was private stands in the open."""
    chosen = of(events, "odds_set")
    chosen["command"] = chosen["private"][str(chosen["seat"])].pop("command")


def a_settlement_by_a_seat(events: Events) -> None:
    """The system's command comes from a seat."""
    of(events, "race_settled")["seat"] = 1


def a_settlement_of_the_meeting_early(events: Events) -> None:
    """After the first race."""
    of(events, "race_settled")["command"]["type"] = "bookmaker.settle_meeting"


def an_unknown_command(events: Events) -> None:
    """Of another type."""
    of(events, "bet_placed")["command"]["type"] = "bookmaker.win"


def a_command_with_more_fields(events: Events) -> None:
    """One that no such command has."""
    of(events, "bet_placed")["command"]["free"] = True


def another_exchange(events: Events) -> None:
    """A bot's choice of cards, in the command and the secret; given is what was given."""
    chosen = of(events, "exchange_chosen")
    own = chosen["private"][str(chosen["seat"])]
    hand = of(events, "hands_dealt")["private"][str(chosen["seat"])]["hand"]
    cards = [card for card in hand if card not in own["cards"]][:2]
    own["cards"] = own["command"]["cards"] = sorted(cards)


def an_exchange_of_foreign_cards(events: Events) -> None:
    """Cards that the seat does not hold, everywhere."""
    chosen = of(events, "exchange_chosen")
    own = chosen["private"][str(chosen["seat"])]
    hand = of(events, "hands_dealt")["private"][str(chosen["seat"] % 4 + 1)]["hand"]
    own["cards"] = own["command"]["cards"] = sorted(hand[:2])


def a_joker_out_of_nothing(events: Events) -> None:
    """Played by a seat that has none."""
    played = of(events, "joker_played")
    played["seat"] = 3 - played["seat"]


def a_joker_kept_in_public(events: Events) -> None:
    """All may know of it."""
    of(events, "joker_kept")["audience"] = "public"


def a_joker_kept_by_another(events: Events) -> None:
    """Seat, audience and secret are another seat's."""
    kept = of(events, "joker_kept")
    seat = 3 - kept["seat"]
    kept["private"][str(seat)] = kept["private"].pop(str(kept["seat"]))
    kept["seat"], kept["audience"] = seat, [seat]


def a_race_that_waits_for_nobody(events: Events) -> None:
    """It goes on before the last answer."""
    kept, resumed = of(events, "joker_kept"), of(events, "race_resumed")
    one, other = at(events, kept), at(events, resumed)
    events[one], events[other] = resumed, kept


def another_programme(events: Events) -> None:
    """One race of another kind, also where it opens."""
    events[0]["options"]["programme"][0] = "joker"
    of(events, "cards_opened")["kind"] = "joker"


def an_unfair_programme(events: Events) -> None:
    """A race less than each seat's turn (BM-S1)."""
    events[0]["options"]["programme"].pop()


def a_seat_more(events: Events) -> None:
    """Nobody sits there."""
    events[0]["seats"] += 1


def begun_with_a_seat_free(events: Events) -> None:
    """One seat was never taken."""
    events.remove(of(events, "seat_taken"))


def a_seat_taken_twice(events: Events) -> None:
    """By another player."""
    events.insert(2, dict(of(events, "seat_taken"), player="p-eve", name="Eve"))


def a_bot_of_no_name(events: Events) -> None:
    """A built-in bot that there is not."""
    of(events, "seat_taken").update(kind="bot", bot="oracle")


def opened_twice(events: Events) -> None:
    """The first line again."""
    events.insert(1, dict(events[0]))


def goes_on_after_the_end(events: Events) -> None:
    """A loan after the ranking."""
    insert(
        events,
        len(events),
        type="bookmaker.loan_taken",
        seat=1,
        amount=10,
        forced=False,
        command={"type": "bookmaker.borrow", "amount": 10},
    )


def time_goes_back(events: Events) -> None:
    """By a day."""
    events[5]["at"] = events[5]["at"].replace("2026-05-01", "2026-04-30")


def one_event_of_a_command_later(events: Events) -> None:
    """All events of a command have one time."""
    events[-1]["at"] = events[-1]["at"].replace(".000Z", ".001Z")


def salts_of_zero(events: Events) -> None:
    """So that secrets could be guessed from hashes."""
    next(e for e in events[1:] if "private" in e)["private"]["server"]["salt"] = "00" * 16


STORIES: dict[str, tuple[Forgery, ...]] = {
    "every_bet__won_by_a_card": (
        a_bet_after_the_start,
        a_bet_after_the_result,
        a_bet_of_the_lone_bookmaker,
        a_settlement_twice,
        a_settlement_too_early,
        no_settlement,
        a_race_less,
        declared_twice,
        never_declared,
        a_command_for_another_seat,
        a_command_made_secret,
        a_secret_command_made_public,
        a_settlement_by_a_seat,
        a_settlement_of_the_meeting_early,
        an_unknown_command,
        a_command_with_more_fields,
        another_programme,
        an_unfair_programme,
        a_seat_more,
        begun_with_a_seat_free,
        a_seat_taken_twice,
        a_bot_of_no_name,
        opened_twice,
        goes_on_after_the_end,
        time_goes_back,
        one_event_of_a_command_later,
        salts_of_zero,
    ),
    "wild_bets__won": (
        another_exchange,
        an_exchange_of_foreign_cards,
    ),
    "joker__won_by_a_joker_from_a_hand": (
        a_joker_out_of_nothing,
        a_joker_kept_in_public,
        a_joker_kept_by_another,
        a_race_that_waits_for_nobody,
    ),
}


@pytest.mark.parametrize(
    ("name", "forgery"),
    [
        pytest.param(name, forgery, id=f"{forgery.__name__}-{name}")
        for name, forgeries in STORIES.items()
        for forgery in forgeries
    ],
)
def test_a_forged_deed_is_found(name: str, forgery: Forgery) -> None:
    """What each forgery does stands in its docstring."""
    assert_found(name, forgery, anew=forgery is not salts_of_zero)
