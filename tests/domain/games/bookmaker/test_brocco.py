"""The card set aside, and the pot at the end (BM-K1)."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker.settle import share_pot
from domain.kernel.message import SERVER
from domain.racing.events import MeetingFinished
from tests.kit.meetings import Played, as_default, seated
from tests.kit.ring import at_bets, meeting, settle
from tests.kit.spec import board, event, fork, given


def name(horse: Any) -> c.NameBrocco:
    """A guess."""
    return c.NameBrocco(horse=horse)


def at_brocco(seats: int = 4, **rest: Any) -> Played:
    """The last race is settled; every seat is asked."""
    return meeting(seats, brocco=True, **rest).play(
        as_default, until=lambda p: p.full.table.phase == "brocco"
    )


def test_one_card_is_set_aside_unseen_at_the_start() -> None:
    """BM-K1"""
    played = seated(Played(seats=4, options={"brocco": True}))
    aside = next(ev for ev in played.events if isinstance(ev, e.BroccoSetAside))
    secret = aside.secret(SERVER)
    assert secret is not None
    assert list(secret["draws"]) == ["brocco"]
    assert len(secret["draws"]["brocco"]) == 1
    assert aside.draws is UNSET
    for viewer in range(5):
        assert played.view(viewer).table.brocco_card is None
        assert board(played, viewer)["brocco"] is None


def test_the_card_lies_aside_for_the_whole_meeting() -> None:
    """BM-K1"""
    played = meeting(4, brocco=True, aside="red-7").play(as_default)
    for race in (1, 2):
        whole = played.chance.draw(f"race-{race}/deck", [])  # type: ignore[union-attr]
        assert len(whole) == 79
        assert whole.count("red-7") == 1


def test_without_the_option_nothing_is_set_aside_or_asked() -> None:
    """BM-K1"""
    played = meeting(4).play(as_default)
    assert board(played)["brocco"] is None
    assert not [ev for ev in played.events if isinstance(ev, e.BroccoSetAside | e.BroccoOpened)]


def test_after_the_last_race_every_seat_is_asked() -> None:
    """BM-K1, BM-P2"""
    played = at_brocco()
    assert board(played)["phase"] == "brocco"
    assert board(played)["to_act"] == [1, 2, 3, 4]
    assert played.game.awaits(played.full) is None
    given(at_bets(4, brocco=True)).when(1, name("red")).refused("wrong_phase")


def test_a_seat_names_a_horse_in_secret_and_puts_in_ten() -> None:
    """BM-K1 (Hidden)"""
    played = at_brocco()
    cash = list(played.full.table.cash)
    after = (
        given(played)
        .when(2, name("blue"))
        .then(event(e.BroccoNamed, seat=2, amount=10, command=UNSET))
    )
    assert after.events[-1].secret(2) == {
        "horse": "blue",
        "command": {"type": "bookmaker.name_brocco", "horse": "blue"},
    }
    for viewer in (0, 1, 3, 4):
        assert after.view(viewer).table.names == {}
    shown = board(after)
    assert shown["to_act"] == [1, 3, 4]
    assert shown["seats"][1]["cash"] == cash[1] - 10
    assert shown["bank"]["taken"] == 10
    assert shown["brocco"] is None


def test_a_seat_names_once() -> None:
    """BM-K1 (Commands)"""
    played = at_brocco().give(2, name("blue"))
    given(played).when(2, name("red")).refused("already_done")


def poor_at_brocco(cash_left: int) -> Played:
    """Seat 3 has this little when it is asked."""
    played = at_brocco(cash=10)
    other = fork(played)
    t = other.full.table
    t.cash[2] = cash_left
    return other


@pytest.mark.parametrize(("cash", "lent"), [(0, True), (9, True), (10, False), (15, False)])
def test_with_less_than_ten_it_borrows_ten_first(cash: int, lent: bool) -> None:
    """BM-K1"""
    played = poor_at_brocco(cash)
    loan = event(e.LoanTaken, seat=3, amount=10, forced=True, command=UNSET)
    named = event(e.BroccoNamed, seat=3, amount=10, command=UNSET)
    after = given(played).when(3, name("green")).then(*([loan, named] if lent else [named]))
    first = after.events[-2 if lent else -1].secret(3)
    assert first is not None
    assert first["command"] == {"type": "bookmaker.name_brocco", "horse": "green"}
    assert after.full.table.cash[2] == cash + (10 if lent else 0) - 10


def test_the_loan_before_naming_is_outside_the_bounds_of_loans() -> None:
    """BM-K1, BM-L1"""
    played = poor_at_brocco(0)
    played.full.table.loans_count[2] = 20
    played.full.table.borrowed[2] = 1_000_000
    given(played).when(3, name("green")).then(event(e.LoanTaken), event(e.BroccoNamed))


def test_when_all_have_named_the_settlement_of_the_meeting_is_owed() -> None:
    """BM-K1, BM-P2"""
    played = at_brocco()
    for seat in (1, 2, 4):
        played.give(seat, name("red"))
    after = (
        given(played)
        .when(3, name("red"))
        .then(event(e.BroccoNamed, seat=3), event(e.SettlementOpened))
    )
    assert board(after)["phase"] == "settlement"
    assert after.game.awaits(after.full) == c.SettleMeeting()
    assert board(after)["brocco"] is None


@pytest.mark.parametrize(
    ("pot", "right", "each"), [(50, 2, 25), (40, 3, 13), (40, 4, 10), (90, 7, 12), (20, 1, 20)]
)
def test_those_who_are_right_share_the_pot_in_whole_dollars(
    pot: int, right: int, each: int
) -> None:
    """BM-K1 (Worked cases)"""
    named = {seat: "red" if seat <= right else "blue" for seat in range(1, 10)}
    assert share_pot(pot, named, "red") == dict.fromkeys(range(1, right + 1), each)


def test_where_nobody_is_right_all_goes_to_the_bank() -> None:
    """BM-K1"""
    assert share_pot(40, {1: "red", 2: "blue"}, "green") == {}


def settled(*names: str, aside: str = "green-4", cash: int = 1000) -> tuple[Played, list[int]]:
    """The meeting over after these guesses, and what each seat had before they were made."""
    played = at_brocco(4, aside=aside, cash=cash)
    cash_before = list(played.full.table.cash)
    for seat, horse in enumerate(names, 1):
        played.give(seat, name(horse))
    return settle(played), cash_before


def test_the_shares_and_the_remainder() -> None:
    """BM-K1, BM-P2, BM-P3"""
    played, before = settled("green", "green", "red", "green")
    assert [type(ev).__name__ for ev in played.events[-2:]] == ["BroccoShared", "MeetingFinished"]
    shown = board(played)
    assert shown["brocco"] == {
        "card": "green-4",
        "named": {"1": "green", "2": "green", "3": "red", "4": "green"},
        "pot": 40,
        "shares": {"1": 13, "2": 13, "4": 13},
    }
    assert [seat["cash"] for seat in shown["seats"]] == [
        before[0] + 3,
        before[1] + 3,
        before[2] - 10,
        before[3] + 3,
    ]
    assert shown["bank"] == {"lent": 0, "taken": 1}
    lines = [line for line in shown["ledger"] if line["why"] == "brocco"]
    assert [(x["from"], x["to"], x["amount"]) for x in lines] == [
        (1, "bank", 10),
        (2, "bank", 10),
        (3, "bank", 10),
        (4, "bank", 10),
        ("bank", 1, 13),
        ("bank", 2, 13),
        ("bank", 4, 13),
    ]
    assert {x["race"] for x in lines} == {2}
    assert {x["bet"] for x in lines} == {None}


def test_nobody_right() -> None:
    """BM-K1"""
    played, before = settled("red", "red", "red", "blue")
    shown = board(played)
    assert shown["brocco"]["shares"] == {}
    assert shown["bank"]["taken"] == 40
    assert [seat["cash"] for seat in shown["seats"]] == [money - 10 for money in before]


def test_shares_come_before_the_loans_are_repaid_and_the_ranking() -> None:
    """BM-P2"""
    played = at_brocco(4, aside="green-4")
    played.give(3, c.Borrow(amount=100))
    for seat in range(1, 5):
        played.give(seat, name("green" if seat == 3 else "red"))
    after = (
        given(played)
        .when(0, c.SettleMeeting())
        .then(
            event(e.BroccoShared, shares={"3": 40}, command={"type": "bookmaker.settle_meeting"}),
            event(e.LoansRepaid),
            event(MeetingFinished),
        )
    )
    assert [x["why"] for x in board(after)["ledger"][-2:]] == ["brocco", "repayment"]


def test_the_brocco_is_shown_at_the_end_only() -> None:
    """BM-K1 (Board): not by the event that shares the pot, but once the meeting is over."""
    played, _ = settled("red", "red", "red", "blue")
    before = fork(played)
    before.events.pop()
    assert board(before)["status"] == "running"
    assert board(before)["brocco"] is None
    assert board(before)["ledger"] is None
