"""Draws and money forged wherever they show, all hashes made anew: the rules find it."""

import pytest

from domain.kernel.chance import commitment, nonce_hash, salt
from tests.kit.forging import Events, Forgery, at, of, rank_again
from tests.kit.recorded import assert_found

# ------------------------------------------------------------------ chance


def another_card(events: Events) -> None:
    """Turn another card, with its draw."""
    turned = of(events, "card_turned")
    other = turned["card"].split("-")[0] + ("-9" if not turned["card"].endswith("-9") else "-8")
    turned["card"] = other
    turned["draws"] = {label: [other] for label in turned["draws"]}


def cards_in_another_order(events: Events) -> None:
    """The card that decides comes before the one before it."""
    last = [e for e in events if e["type"] == "bookmaker.card_turned"][-2:]
    one, other = (at(events, e) for e in last)
    for field in ("card", "draws", "horse", "space", "moved", "out"):
        events[one][field], events[other][field] = events[other][field], events[one][field]


def another_first_bookmaker(events: Events) -> None:
    """Role and draw."""
    roles = of(events, "roles_drawn")
    roles["first"] = 3 - roles["first"]
    roles["draws"] = {"bookmaker": [roles["first"]]}


def other_open_card(events: Events) -> None:
    """On the board and in the draw."""
    opened = of(events, "cards_opened")
    cards = opened["open_cards"]
    cards[0] = "red-9" if cards[0] != "red-9" else "red-8"
    opened["draws"] = {label: list(cards) for label in opened["draws"]}


def cards_of_two_hands_swapped(events: Events) -> None:
    """In the hands and in the draw."""
    dealt = of(events, "hands_dealt")
    private = dealt["private"]
    one, other = private["1"]["hand"], private["2"]["hand"]
    one[0], other[0] = other[0], one[0]
    (label,) = private["server"]["draws"]
    private["server"]["draws"][label] = [*one, *other]


def another_token(events: Events) -> None:
    """On the track and in the draw."""
    placed = of(events, "tokens_placed")
    placed["tokens"][0] = {"horse": "red", "space": 8}
    (label,) = placed["draws"]
    placed["draws"][label][0] = "red-8"


def another_card_aside(events: Events) -> None:
    """The Brocco, set aside and shown."""
    of(events, "brocco_set_aside")["private"]["server"]["draws"]["brocco"] = ["green-1"]
    shared = of(events, "brocco_shared")
    shared["card"], shared["shares"] = "green-1", {"1": 10, "2": 10}
    rank_again(events, {1: 10, 2: 10})


def another_seed(events: Events) -> None:
    """Committed to, revealed, and in every salt; the draws stay."""
    seed = bytes(31) + b"\x01"
    events[0]["private"]["server"]["seed"] = events[-1]["seed"] = seed.hex()
    events[0]["commitment"] = commitment(seed)
    for event in events:
        if "private" in event:
            event["private"]["server"]["salt"] = salt(seed, event["seq"])


def another_seed_without_commitment(events: Events) -> None:
    """Revealed at the end alone."""
    events[-1]["seed"] = "00" * 32


def another_nonce(events: Events) -> None:
    """Given, promised and shown; the draws stay."""
    taken = next(e for e in events if e.get("nonce_hash"))
    seat = taken["seat"]
    taken["private"][str(seat)]["nonce"] = "chosen"
    taken["nonce_hash"] = nonce_hash("chosen")
    of(events, "meeting_started")["nonces"][seat - 1] = "chosen"


def nonce_shown_unlike_promised(events: Events) -> None:
    """As if the server had chosen it later."""
    of(events, "meeting_started")["nonces"][0] = "later"


def nonces_of_two_seats_swapped(events: Events) -> None:
    """Shown in another order."""
    of(events, "meeting_started")["nonces"].reverse()


def an_unused_item_shown(events: Events) -> None:
    """A draw's piece goes on beyond what was used."""
    (items,) = of(events, "cards_opened")["draws"].values()
    items.append("red-1")


def arranged_unmarked(events: Events) -> None:
    """Draws were arranged, and the mark is taken away."""
    events[0]["arranged"] = False


def arrangement_changed(events: Events) -> None:
    """Another list than the one that was played."""
    events[0]["private"]["server"]["arranged"]["bookmaker"] = [2]


def arrangement_forgotten(events: Events) -> None:
    """No list at all: then chance would have drawn otherwise."""
    del events[0]["private"]["server"]["arranged"]


# ------------------------------------------------------------------ money


def a_higher_payment(events: Events) -> None:
    """Ten dollars more, in payment, nets and ranking."""
    settled = next(e for e in events if e.get("payments"))
    settled["payments"][0]["amount"] += 10
    bet = next(e for e in events[: at(events, settled)][::-1] if e["type"].endswith("bet_placed"))
    seat, book = bet["seat"], bet["bookmaker"]
    settled["nets"][seat - 1] += 10
    settled["nets"][book - 1] -= 10
    rank_again(events, {seat: 10, book: -10})


def a_winner_unpaid(events: Events) -> None:
    """The bet counts as lost."""
    settled = next(e for e in events if e.get("payments"))
    bet = settled["payments"].pop(0)["bet"]
    settled["lost"] = sorted([*settled["lost"], bet])
    settled["nets"] = [0] * len(settled["nets"])


def a_loser_paid(events: Events) -> None:
    """The bet counts as returned."""
    settled = next(e for e in events if e.get("lost"))
    bet = settled["lost"].pop()
    settled["payments"].append({"bet": bet, "status": "returned", "amount": 10})


def another_winner(events: Events) -> None:
    """At the end of the race."""
    ended = of(events, "race_ended")
    ended["winner"] = "green" if ended["winner"] != "green" else "red"


def a_higher_stake(events: Events) -> None:
    """In the command and in the bet."""
    bet = of(events, "bet_placed")
    bet["stake"] += 10
    bet["command"]["stake"] += 10


def a_stake_above_the_cash(events: Events) -> None:
    """A command that the rules refuse."""
    bet = of(events, "bet_placed")
    bet["stake"] = bet["command"]["stake"] = 5_000


def more_accepted(events: Events) -> None:
    """Of an offer, in the command and in the event."""
    accepted = of(events, "bet_accepted")
    accepted["stake"] = accepted["command"]["stake"] = accepted["stake"] + 10


def better_odds(events: Events) -> None:
    """A bet at other odds than were shown."""
    of(events, "bet_placed")["odds"] = 9


def odds_shown_unlike_set(events: Events) -> None:
    """The book as shown is not the book as set."""
    shown = of(events, "odds_shown")
    next(iter(shown["odds"].values()))["red"] += 1


def odds_set_below_the_sum(events: Events) -> None:
    """In the secret, in its command and when shown."""
    chosen = of(events, "odds_set")
    seat = str(chosen["seat"])
    odds = dict.fromkeys(("red", "blue", "green", "yellow"), 2)
    chosen["private"][seat]["odds"] = chosen["private"][seat]["command"]["odds"] = odds
    of(events, "odds_shown")["odds"][seat] = odds


def a_larger_loan(events: Events) -> None:
    """Taken, and in its command; repaid as before."""
    loan = next(e for e in events if e["type"].endswith("loan_taken") and not e["forced"])
    loan["amount"] = loan["command"]["amount"] = 30


def a_loan_of_five(events: Events) -> None:
    """No multiple of ten, repaid in full."""
    loan = next(e for e in events if e["type"].endswith("loan_taken") and not e["forced"])
    loan["amount"] = loan["command"]["amount"] = 25
    of(events, "loans_repaid")["repayments"][0].update(loan=25, interest=2)
    rank_again(events, {loan["seat"]: 0})


def no_interest(events: Events) -> None:
    """The tenth is left to the seat, in the ranking too."""
    row = of(events, "loans_repaid")["repayments"][0]
    rank_again(events, {row["seat"]: row["interest"]})
    row["interest"] = 0


def a_loan_not_repaid(events: Events) -> None:
    """Money that stays, in the ranking too."""
    repaid = of(events, "loans_repaid")
    row = repaid["repayments"].pop(0)
    rank_again(events, {row["seat"]: row["loan"] + row["interest"]})
    if not repaid["repayments"]:
        events.remove(repaid)


def a_forced_loan_too_much(events: Events) -> None:
    """A seat that was not short borrows at the settlement."""
    of(events, "race_settled", 1)["loans"].append({"seat": 2, "amount": 10})


def the_pot_for_one(events: Events) -> None:
    """One of those who were right gets all."""
    shared = of(events, "brocco_shared")
    one, other = shared["shares"]
    shared["shares"] = {one: 30}
    rank_again(events, {int(one): 15, int(other): -15})


def another_ballot(events: Events) -> None:
    """The horse named, in the command and the secret."""
    named = of(events, "brocco_named", 1)
    own = named["private"][str(named["seat"])]
    own["horse"] = own["command"]["horse"] = "green"


def another_ballot_shown(events: Events) -> None:
    """At the end, unlike what was named in secret."""
    of(events, "brocco_shared")["named"]["2"] = "blue"


def ranking_reversed(events: Events) -> None:
    """The last is first."""
    ranking = events[-1]["ranking"]
    for row, points in zip(ranking, [row["points"] for row in ranking][::-1], strict=True):
        row["points"] = points


def a_seat_unranked(events: Events) -> None:
    """Left out."""
    events[-1]["ranking"].pop()


STORIES: dict[str, tuple[Forgery, ...]] = {
    "every_bet__won_by_a_card": (
        another_card,
        cards_in_another_order,
        another_first_bookmaker,
        other_open_card,
        cards_of_two_hands_swapped,
        another_seed,
        another_seed_without_commitment,
        nonce_shown_unlike_promised,
        an_unused_item_shown,
        arranged_unmarked,
        arrangement_changed,
        a_higher_payment,
        a_winner_unpaid,
        a_loser_paid,
        another_winner,
        a_higher_stake,
        a_stake_above_the_cash,
        more_accepted,
        better_odds,
        odds_shown_unlike_set,
        odds_set_below_the_sum,
        a_larger_loan,
        a_loan_of_five,
        no_interest,
        a_loan_not_repaid,
        a_forced_loan_too_much,
        ranking_reversed,
        a_seat_unranked,
    ),
    "all_kinds__won": (
        another_card,
        another_token,
        another_card_aside,
        another_seed,
        another_nonce,
        nonces_of_two_seats_swapped,
        cards_of_two_hands_swapped,
    ),
    "brocco__shared_by_two": (
        the_pot_for_one,
        another_ballot,
        another_ballot_shown,
        no_interest,
    ),
    "wild_bets__won": (another_nonce,),
    "joker__won_by_a_joker_from_a_hand": (arrangement_forgotten,),
}


@pytest.mark.parametrize(
    ("name", "forgery"),
    [
        pytest.param(name, forgery, id=f"{forgery.__name__}-{name}")
        for name, forgeries in STORIES.items()
        for forgery in forgeries
    ],
)
def test_a_forged_draw_or_dollar_is_found(name: str, forgery: Forgery) -> None:
    """What each forgery does stands in its docstring."""
    assert_found(name, forgery, anew=forgery is not another_seed)
