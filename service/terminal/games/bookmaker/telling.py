"""What happened in Bookmaker: a line for each event worth one, and how long it takes to read."""

from rich.text import Text

from service.terminal.plain import Json, Names
from service.terminal.telling import Teller, kind_of, line_of

HORSES = ("red", "blue", "green", "yellow")


def told(event: Json, names: Names) -> Text | None:
    """One line about an event, or None."""
    line = line_of(event, names, _TELLERS)
    return None if line is None else coloured(line)


def coloured(line: str) -> Text:
    """Horses and their cards in their colours; nothing in the line is markup."""
    text = Text(line)
    for horse in HORSES:
        text.highlight_regex(rf"\b{horse}(-\d+)?\b", horse)
    return text


def _odds(odds: Json) -> str:
    return "  ".join(f"{horse} {odds[horse]}" if odds[horse] else f"{horse} -" for horse in HORSES)


def _money(amount: int) -> str:
    return f"{amount:,}"


def _cards_opened(event: Json, names: Names) -> str:
    bookmakers = " and ".join(names[seat] for seat in event["bookmakers"])
    kind = event["kind"].replace("_", " ")
    return f"A {kind} race; bookmaker: {bookmakers}. Face up: {' '.join(event['open_cards'])}"


def _dealt(event: Json, names: Names) -> str:
    hand = f" Yours: {' '.join(event['hand'])}" if "hand" in event else ""
    return f"{sum(event['counts'])} cards are dealt.{hand}"


def _exchanged(event: Json, names: Names) -> str:
    if "gave" in event:
        return f"You gave {' '.join(event['gave'])} and got {' '.join(event['got'])}."
    return "The bookmakers have exchanged two cards each."


def _tokens(event: Json, names: Names) -> str:
    spaces = ", ".join(f"{token['horse']} {token['space']}" for token in event["tokens"])
    return f"Tokens: {spaces}"


def _shown(event: Json, names: Names) -> str:
    books = (f"{names[int(seat)]}: {_odds(odds)}" for seat, odds in event["odds"].items())
    return "The books are open. " + "; ".join(books)


def _bet(event: Json, names: Names) -> str:
    verb = "bets" if event["type"].endswith("placed") else "offers"
    return (
        f"{names[event['seat']]} {verb} {_money(event['stake'])} on {event['horse']} at "
        f"{event['odds']} with seat {event['bookmaker']} (bet {event['bet']})"
    )


def _accepted(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} accepts {_money(event['stake'])} of bet {event['bet']}"


def _refused(event: Json, names: Names) -> str:
    return f"Bet {event['bet']} is refused."


def _lapsed(event: Json, names: Names) -> str:
    return f"Lapsed: bet {', '.join(map(str, event['bets']))}"


def _changed(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} changes its odds: {_odds(event['odds'])}"


def _limits(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} changes its limits."


def _running_odds(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} shows odds: {_odds(event['odds'])}"


def _done(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} is done."


def _loan(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} borrows {_money(event['amount'])} from the bank."


def _started(event: Json, names: Names) -> str:
    return "They're off!"


def _turned(event: Json, names: Names) -> str:
    card = f"{event['card']:<9}"
    if event["horse"] is None:
        return f"{card} moves nobody"
    if event["out"]:
        return f"{card} {event['horse']} breaks its gait and is out"
    if not event["moved"]:
        return f"{card} {event['horse']} stays out"
    return f"{card} {event['horse']} to {event['space']}"


def _reshuffled(event: Json, names: Names) -> str:
    return "The turned cards are shuffled and the race goes on."


def _joker(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} plays a joker: {event['horse']} to {event['space']}"


def _kept(event: Json, names: Names) -> str:
    return "You keep your joker."


def _ended(event: Json, names: Names) -> str:
    if event["winner"] is not None:
        return f"{event['winner']} wins!"
    return "All are out, no winner." if event["how"] == "all_out" else "The race has no winner."


def _settled(event: Json, names: Names) -> str:
    paid = sum(payment["amount"] for payment in event["payments"])
    nets = ", ".join(f"seat {seat} {net:+,}" for seat, net in enumerate(event["nets"], 1) if net)
    loans = "".join(
        f" {names[loan['seat']]} must borrow {_money(loan['amount'])}." for loan in event["loans"]
    )
    return f"Paid out {_money(paid)} (net: {nets or 'nothing'}).{loans}"


def _named(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} names the Brocco."


def _brocco(event: Json, names: Names) -> str:
    shares = ", ".join(f"seat {seat} {amount}" for seat, amount in event["shares"].items())
    return f"The Brocco is {event['card']}; of the pot of {event['pot']}: {shares or 'nobody'}"


def _repaid(event: Json, names: Names) -> str:
    lines = (
        f"seat {r['seat']} {_money(r['loan'])} + {_money(r['interest'])}"
        for r in event["repayments"]
    )
    return f"Loans go back with a tenth: {', '.join(lines)}"


_TELLERS: dict[str, Teller] = {
    "cards_opened": _cards_opened,
    "hands_dealt": _dealt,
    "cards_exchanged": _exchanged,
    "tokens_placed": _tokens,
    "odds_shown": _shown,
    "bet_offered": _bet,
    "bet_placed": _bet,
    "bet_accepted": _accepted,
    "bet_refused": _refused,
    "bets_lapsed": _lapsed,
    "odds_changed": _changed,
    "limits_set": _limits,
    "running_odds_shown": _running_odds,
    "done_declared": _done,
    "loan_taken": _loan,
    "race_started": _started,
    "card_turned": _turned,
    "deck_reshuffled": _reshuffled,
    "joker_played": _joker,
    "joker_kept": _kept,
    "race_ended": _ended,
    "race_settled": _settled,
    "brocco_named": _named,
    "brocco_shared": _brocco,
    "loans_repaid": _repaid,
}

_SECONDS = {
    "odds_shown": 3.0,
    "odds_changed": 0.6,
    "cards_opened": 2.0,
    "card_turned": 0.5,
    "joker_played": 1.5,
    "tokens_placed": 2.0,
    "race_ended": 2.0,
    "race_settled": 2.0,
    "brocco_shared": 2.0,
    "meeting_finished": 0.0,
}
"""How long a person needs to take an event in; others are short."""


def seconds(event: Json) -> float:
    """A card and a bet are quick to see, odds and payments are not."""
    return _SECONDS.get(kind_of(event), 0.15)


def redraws(event: Json) -> bool:
    """Once the books are open, and when a race is settled."""
    return kind_of(event) in ("odds_shown", "race_ended", "race_closed")
