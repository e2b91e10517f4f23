"""Settlement of races and of the meeting (BM-P)."""

from collections.abc import Sequence

import msgspec
import pytest
from msgspec import UNSET

from domain.betting.money import interest, shortfall
from domain.betting.odds import returns
from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker.settle import Stake, ranking, settle_race
from domain.racing.events import MeetingFinished, RaceClosed, RaceOpened
from tests.kit.meetings import Played, as_default
from tests.kit.ring import (
    answer,
    at_bets,
    bet,
    change,
    deal,
    declare,
    meeting,
    raced,
    settle,
    winning,
)
from tests.kit.spec import board, event, given


@pytest.mark.parametrize(
    ("stake", "tenths", "back"),
    [(10, 30, 40), (10, 10, 20), (10, 13, 23), (70, 61, 497), (10, 1000, 1010), (30, 25, 105)],
)
def test_a_winning_stake_comes_back_with_stake_times_odds(
    stake: int, tenths: int, back: int
) -> None:
    """BM-P1 (Worked cases)"""
    assert returns(stake, tenths) == back


@pytest.mark.parametrize(
    ("cash", "loan"),
    [(0, 0), (5, 0), (-1, 10), (-9, 10), (-10, 10), (-11, 20), (-70, 70), (-71, 80)],
)
def test_a_shortfall_is_rounded_up_to_ten(cash: int, loan: int) -> None:
    """BM-P1"""
    assert shortfall(cash) == loan


def test_a_bookmaker_with_20_that_owes_90_borrows_70_and_repays_77() -> None:
    """BM-P1, BM-P2 (Worked cases)"""
    stakes = [Stake(1, 2, 1, "red", 30, 20)]
    paid = settle_race(stakes, "red", "won", [], [20, 0])
    assert paid.nets == [-90, 90]
    assert paid.loans == [(1, 70)]
    assert 70 + interest(70) == 77


def test_two_bookmakers_that_owe_each_other_1100_borrow_nothing() -> None:
    """BM-P1 (Worked cases)"""
    stakes = [Stake(1, 2, 1, "red", 100, 100), Stake(2, 1, 2, "red", 100, 100)]
    paid = settle_race(stakes, "red", "won", [], [0, 0, 0, 0])
    assert [amount for _, _, amount in paid.payments] == [1100, 1100]
    assert paid.nets == [0, 0, 0, 0]
    assert paid.loans == []


def test_the_payments_of_a_race_are_netted_over_all_books_before_anybody_borrows() -> None:
    """BM-P1: seat 2 wins 400 from seat 1 and pays 380, with nothing in cash."""
    stakes = [Stake(1, 2, 1, "red", 100, 30), Stake(2, 3, 2, "red", 95 * 4, 0)]
    paid = settle_race(stakes, "red", "won", [], [0, 0, 0, 0])
    assert paid.nets == [-400, 400 - 380, 380, 0]
    assert paid.loans == [(1, 400)]


def test_a_race_is_settled_by_the_system_alone() -> None:
    """BM-P1"""
    played = raced(4, run=winning("red"))
    assert played.game.awaits(played.full) == c.SettleRace()
    for viewer in range(5):
        assert board(played, viewer)["to_act"] == []
    for seat in range(1, 5):
        assert c.SettleRace not in played.game.commands
        assert [type(a) for a in played.game.actions(played.view(seat), seat).actions] == [c.Borrow]
    given(played).when(0, c.SettleMeeting()).refused("wrong_phase")
    given(at_bets(4)).when(0, c.SettleRace()).refused("wrong_phase")


def test_a_settled_race_is_closed_and_the_next_one_opens_with_it() -> None:
    """BM-P1"""
    played = raced(4, run=winning("red"))
    after = (
        given(played)
        .when(0, c.SettleRace())
        .then(
            event(
                e.RaceSettled,
                seat=UNSET,
                command={"type": "bookmaker.settle_race"},
                payments=[
                    e.Payment(bet=1, status="won", amount=40),
                    e.Payment(bet=2, status="won", amount=40),
                ],
                lost=[],
                nets=[-80, 0, 40, 40],
                loans=[],
            ),
            event(RaceClosed, race=1),
            event(RaceOpened, race=2, races=2),
            event(e.CardsOpened, bookmakers=[3, 4]),
            event(e.HandsDealt),
        )
    )
    assert [seat["cash"] for seat in board(after)["seats"]] == [940, 1000, 1030, 1030]
    assert board(after)["phase"] == "exchange"
    assert board(after)["race"] == 2
    given(after).when(0, c.SettleRace()).refused("wrong_phase")


def test_a_seat_that_is_below_0_borrows_in_the_settlement() -> None:
    """BM-P1"""
    played = at_bets(4, cash=100, books=((100, 3, 2, 2), (3, 3, 2, 2)), run=winning("red"))
    declare(played, {3: bet(1, "red", 10), 4: bet(1, "blue", 10)})
    after = (
        given(played)
        .when(0, c.SettleRace())
        .then(
            event(e.RaceSettled, nets=[-1010, 0, 1010, 0], loans=[e.Loan(seat=1, amount=890)]),
            exactly=False,
        )
    )
    shown = board(after)
    assert [seat["cash"] for seat in shown["seats"]] == [0, 100, 1100, 90]
    assert [seat["loan"] for seat in shown["seats"]] == [890, 0, 0, 0]
    assert shown["bank"] == {"lent": 890, "taken": 0}


def test_a_loan_of_settlement_is_outside_the_bounds_of_loans() -> None:
    """BM-P1, BM-L1"""
    played = at_bets(4, cash=10, books=((100, 3, 2, 2), (3, 3, 2, 2)), run=winning("red"))
    played.give(1, c.Borrow(amount=1_000_000))
    for _ in range(20 - 1):
        given(played).when(1, c.Borrow(amount=10)).refused("loan_too_large", "BM-L1")
    played.give(3, c.Borrow(amount=20_000)).give(3, bet(1, "red", 20_000)).give(
        1, answer(1, 20_000)
    )
    declare(played)
    settle(played)
    assert board(played)["seats"][0]["loan"] > 1_000_000
    assert board(played)["seats"][0]["cash"] >= 0


def test_results_tell_the_bets_as_they_ended_and_the_books() -> None:
    """BM-P1 (Board)"""
    played = at_bets(4, run=winning("blue"))
    played.give(3, bet(1, "red", 50)).give(4, bet(1, "blue", 10)).give(1, change(3, 4, 2, 2))
    played.give(3, bet(2, "blue", 100)).give(2, answer(3, 80)).give(4, bet(2, "red", 10))
    played.give(3, bet(1, "red", 30))
    played.give(1, answer(1, 50))
    for seat in range(1, 5):
        played.give(seat, c.Done())
    played.give(1, answer(5, 30))
    settle(played)
    result = board(played)["results"][0]
    assert (result["race"], result["kind"], result["winner"], result["out"]) == (
        1,
        "plain",
        "blue",
        [],
    )
    assert [(b["bet"], b["stake"], b["status"]) for b in result["bets"]] == [
        (1, 50, "lost"),
        (2, 10, "won"),
        (3, 80, "won"),
        (4, 10, "lost"),
        (5, 30, "lost"),
    ]
    assert result["books"] == [
        {"seat": 1, "taken": 90, "paid": 40},
        {"seat": 2, "taken": 90, "paid": 320},
    ]
    assert board(played)["bets"] == []


def last_race_settled(**rest: object) -> Played:
    """All races of a meeting of four are settled."""
    return meeting(4, **rest).play(  # type: ignore[arg-type]
        as_default, until=lambda p: len(p.full.table.results) == 2
    )


def test_after_the_last_race_the_meeting_is_settled() -> None:
    """BM-P2"""
    played = last_race_settled()
    assert board(played)["phase"] == "settlement"
    assert board(played)["to_act"] == []
    assert played.game.awaits(played.full) == c.SettleMeeting()
    given(played).when(0, c.SettleRace()).refused("wrong_phase")
    after = (
        given(played)
        .when(0, c.SettleMeeting())
        .then(event(MeetingFinished, command={"type": "bookmaker.settle_meeting"}, seat=UNSET))
    )
    shown = board(after)
    assert shown["status"] == "finished"
    assert (shown["phase"], shown["deadline"], shown["to_act"]) == (None, None, [])
    assert after.game.awaits(after.full) is None


def test_each_loan_is_repaid_with_a_tenth_and_cash_may_go_below_0() -> None:
    """BM-P2"""
    played = last_race_settled()
    for amount in (10, 100, 1000):
        played.give(2, c.Borrow(amount=amount))
    played.give(4, c.Borrow(amount=900_000))
    before = list(played.full.table.cash)
    after = (
        given(played)
        .when(0, c.SettleMeeting())
        .then(
            event(
                e.LoansRepaid,
                repayments=[
                    e.Repayment(seat=2, loan=1110, interest=111),
                    e.Repayment(seat=4, loan=900_000, interest=90_000),
                ],
            ),
            event(MeetingFinished),
        )
    )
    shown = board(after)
    cash = [seat["cash"] for seat in shown["seats"]]
    assert cash == [before[0], before[1] - 1221, before[2], before[3] - 990_000]
    assert cash[3] < 0
    assert shown["bank"] == {"lent": 0, "taken": 111 + 90_000}
    assert shown["ranking"][-1] == {"seat": 4, "rank": 4, "points": cash[3]}


@pytest.mark.parametrize(
    ("cash", "ranks"),
    [
        ((50, 70, 70, 10), [(2, 1, 70), (3, 1, 70), (1, 3, 50), (4, 4, 10)]),
        ((80, 70, 70, 10), [(1, 1, 80), (2, 2, 70), (3, 2, 70), (4, 4, 10)]),
        ((5, 5, 5), [(1, 1, 5), (2, 1, 5), (3, 1, 5)]),
        ((-10, 0), [(2, 1, 0), (1, 2, -10)]),
    ],
)
def test_equal_sums_share_a_rank_and_the_next_counts_the_seats_before_it(
    cash: Sequence[int], ranks: list[tuple[int, int, int]]
) -> None:
    """BM-P2"""
    assert ranking(cash) == ranks


def test_money_is_conserved_after_every_event() -> None:
    """BM-P3"""
    played = meeting(4, brocco=True, cash=10).play(as_default)
    assert played.game.audit(played.events, played.chance) == []
    shown = board(played)
    total = sum(seat["cash"] for seat in shown["seats"])
    assert total == 4 * 10 + shown["bank"]["lent"] - shown["bank"]["taken"]


def test_repaying_a_loan_lowers_lent_and_raises_taken_by_a_tenth() -> None:
    """BM-P3"""
    played = last_race_settled().give(1, c.Borrow(amount=200))
    assert board(played)["bank"] == {"lent": 200, "taken": 0}
    settle(played)
    assert board(played)["bank"] == {"lent": 0, "taken": 20}


# ------------------------------------------------------------- ledger


def test_the_ledger_is_null_before_the_end() -> None:
    """BM-P3 (Board)"""
    played = last_race_settled()
    assert board(played)["ledger"] is None
    settle(played)
    assert board(played)["ledger"] is not None


def test_the_ledger_tells_every_movement_in_order() -> None:
    """BM-P3 (Board): loans free, of settlement and forced, bets and repayments."""
    played = at_bets(
        2,
        cash=100,
        books=((9, 1, 1, 1),),
        run=winning("red"),
        draws=deal(2, race=2, bookmaker=2, run=winning("blue")),
    )
    played.give(2, bet(1, "red", 50)).give(2, c.Borrow(amount=30))
    played.give(1, answer(1, 50)).give(2, c.Done())
    settle(played)
    played.give(2, c.SetOdds(odds=c.AllOdds(red=3, blue=3, green=2, yellow=2)))
    played.give(1, bet(2, "red", 10)).give(1, c.Done())
    settle(settle(played))
    ledger = board(played, 2)["ledger"]
    assert [(x["from"], x["to"], x["amount"], x["why"], x["race"], x["bet"]) for x in ledger] == [
        ("bank", 2, 30, "loan", 1, None),
        (2, 1, 50, "stake", 1, 1),
        (1, 2, 500, "won", 1, 1),
        ("bank", 1, 350, "loan", 1, None),
        ("bank", 1, 10, "loan", 2, None),
        (1, 2, 10, "stake", 2, 1),
        (1, "bank", 396, "repayment", 2, None),
        (2, "bank", 33, "repayment", 2, None),
    ]
    public = [type(ev).__name__ for ev in played.events if ev.audience == "public"]
    assert [public[x["event"] - 1] for x in ledger] == [
        "LoanTaken",
        "BetAccepted",
        "RaceSettled",
        "RaceSettled",
        "LoanTaken",
        "BetPlaced",
        "LoansRepaid",
        "LoansRepaid",
    ]
    assert ledger == board(played, 0)["ledger"] == board(played, 1)["ledger"]
    assert balanced(ledger, [100, 100]) == [seat["cash"] for seat in board(played)["seats"]]


def test_the_ledgers_events_are_numbered_as_in_the_public_feed_for_every_viewer() -> None:
    """BM-P3 (Board): kept jokers are events of their seats alone, and shift no number."""
    played = meeting(4, kind="joker", hands={3: ["joker"], 4: ["joker"]}).play(as_default)
    public = [ev for ev in played.events if ev.audience == "public"]
    assert len(public) < len(played.events)
    ledgers = [board(played, viewer)["ledger"] for viewer in range(5)]
    assert all(ledger == ledgers[0] for ledger in ledgers)
    kinds = {"stake": "BetPlaced", "won": "RaceSettled", "loan": "RaceSettled"}
    for line in ledgers[0]:
        if line["why"] in kinds:
            assert type(public[line["event"] - 1]).__name__ == kinds[line["why"]]


def balanced(ledger: list[dict[str, object]], cash: list[int]) -> list[int]:
    """The cash that the ledger leads to."""
    for line in ledger:
        assert isinstance(line["amount"], int)
        assert line["amount"] > 0
        for key, sign in (("from", -1), ("to", 1)):
            if line[key] != "bank":
                cash[int(str(line[key])) - 1] += sign * line["amount"]
    return cash


def test_in_a_settlement_bets_come_by_number_then_loans_by_seat() -> None:
    """BM-P3 (Board)"""
    played = at_bets(4, cash=10, books=((9, 9, 9, 9), (9, 9, 9, 9)), run=winning("red"))
    played.give(4, bet(2, "red", 10)).give(3, bet(1, "red", 10)).give(1, bet(2, "blue", 10))
    for seat in (4, 3, 2, 1):
        played.give(seat, c.Done())
    settle(played)
    lines = [
        (x["from"], x["to"], x["amount"], x["why"], x["bet"])
        for x in msgspec.to_builtins(played.full.table.ledger)
        if x["why"] != "stake"
    ]
    assert lines == [
        (2, 4, 100, "won", 1),
        (1, 3, 100, "won", 2),
        ("bank", 1, 90, "loan", None),
        ("bank", 2, 70, "loan", None),
    ]
