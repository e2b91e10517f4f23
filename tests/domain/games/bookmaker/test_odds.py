"""The secret odds (BM-O1) and the limits set with them (BM-B2)."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.games.bookmaker import events as e
from domain.kernel.message import SERVER
from tests.kit.ring import at_bets, at_odds, by_horse, limits, meeting, set_odds
from tests.kit.spec import board, event, given

LEGAL: list[tuple[Any, tuple[Any, ...]]] = [
    (1, (3, 3, 2, 2)),
    (1, (1, 3, 3, 3)),
    (1, (100, 100, 100, 100)),
    (1, (1, 1, 1, 7)),
    (0.5, (1, 3.5, 2.5, 3)),
    (0.5, (2.5, 2.5, 2.5, 2.5)),
    (0.1, (1, 1.3, 6.1, 1.6)),
    (0.1, (99.9, 1, 1, 1)),
    (0.1, (1.1, 2.2, 3.3, 3.4)),
]
ILLEGAL: list[tuple[Any, tuple[Any, ...], str]] = [
    (1, (3, 2, 2, 2), "odds_sum_too_low"),
    (1, (3, 3, 2.5, 2), "odds_off_step"),
    (1, (3, 3, 2, 2.1), "odds_off_step"),
    (0.5, (3.1, 3, 2, 2), "odds_off_step"),
    (0.5, (2.5, 2.5, 2.5, 2), "odds_sum_too_low"),
    (0.1, (1, 1.3, 6.1, 1.5), "odds_sum_too_low"),
    (0.1, (3.25, 3, 2, 2), "odds_off_step"),
    (0.1, (3.0000001, 3, 2, 2), "odds_off_step"),
    (0.1, (1e308, 3, 2, 2), "odds_off_step"),
    (0.1, (0.9, 3, 4, 4), "odds_out_of_range"),
    (1, (0, 5, 5, 5), "odds_out_of_range"),
    (1, (-3, 5, 5, 5), "odds_out_of_range"),
    (1, (101, 3, 2, 2), "odds_out_of_range"),
    (0.1, (100.1, 3, 2, 2), "odds_out_of_range"),
    (1, (10**30, 3, 2, 2), "odds_out_of_range"),
]


@pytest.mark.parametrize(("step", "numbers"), LEGAL)
def test_legal_odds_are_set_and_shown_as_they_are(step: Any, numbers: tuple[Any, ...]) -> None:
    """BM-O1"""
    after = given(at_odds(3, odds_step=step)).when(1, set_odds(*numbers)).accepted()
    assert board(after)["odds"] == {"1": by_horse(*numbers)}


@pytest.mark.parametrize(("step", "numbers", "code"), ILLEGAL)
def test_odds_off_step_out_of_range_or_too_low_in_sum_are_refused(
    step: Any, numbers: tuple[Any, ...], code: str
) -> None:
    """BM-O1"""
    given(at_odds(3, odds_step=step)).when(1, set_odds(*numbers)).refused(code, "BM-O1")


def test_whole_odds_are_written_as_whole_numbers() -> None:
    """BM-O1 (contract, Names)"""
    after = given(at_odds(3)).when(1, set_odds(3.0, 3, 2, 2.0)).accepted()
    shown = board(after)["odds"]["1"]
    assert [type(value) for value in shown.values()] == [int] * 4
    written = (after.events[-2].secret(1) or {})["command"]["odds"]
    assert [type(value) for value in written.values()] == [int] * 4


def test_odds_are_secret_until_both_have_set_and_then_shown_together() -> None:
    """BM-O1 (Hidden)"""
    half = (
        given(at_odds(4))
        .when(2, set_odds(1, 3, 3, 3, limit=50))
        .then(event(e.OddsSet, seat=2, command=UNSET))
    )
    assert set(half.events[-1].private or {}) == {"2", SERVER}
    for viewer in range(5):
        assert board(half, viewer)["odds"] is None
        assert board(half, viewer)["limits"] is None
        assert board(half, viewer)["to_act"] == [1]
    after = (
        given(half)
        .when(1, set_odds(3, 3, 2, 2))
        .then(
            event(e.OddsSet, seat=1),
            event(
                e.OddsShown,
                odds={"1": by_horse(3, 3, 2, 2), "2": by_horse(1, 3, 3, 3)},
                limits={"1": by_horse(None, None, None, None), "2": by_horse(50, 50, 50, 50)},
            ),
        )
    )
    for viewer in range(5):
        assert board(after, viewer)["odds"] == {
            "1": by_horse(3, 3, 2, 2),
            "2": by_horse(1, 3, 3, 3),
        }
        assert board(after, viewer)["phase"] == "bets"


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (UNSET, (None,) * 4),
        (None, (None,) * 4),
        (0, (0,) * 4),
        (15, (15,) * 4),
        (2**53 - 1, (2**53 - 1,) * 4),
        (limits(100, None, 0, 55), (100, None, 0, 55)),
    ],
)
def test_a_limit_is_a_whole_number_from_0_or_null_or_one_for_each_horse(
    limit: Any, shown: tuple[Any, ...]
) -> None:
    """BM-B2"""
    after = given(at_odds(3)).when(1, set_odds(3, 3, 2, 2, limit=limit)).accepted()
    assert board(after)["limits"] == {"1": by_horse(*shown)}


@pytest.mark.parametrize("limit", [-1, limits(10, -10, None, 0), 2**53])
def test_a_limit_below_0_or_beyond_all_numbers_is_refused(limit: Any) -> None:
    """BM-B2"""
    given(at_odds(3)).when(1, set_odds(3, 3, 2, 2, limit=limit)).refused("limit_negative", "BM-B2")


def test_odds_are_set_once_by_bookmakers_in_their_phase() -> None:
    """BM-O1 (Commands)"""
    half = given(at_odds(4)).when(1, set_odds(3, 3, 2, 2)).accepted()
    given(half).when(1, set_odds(1, 3, 3, 3)).refused("already_done")
    given(half).when(3, set_odds(3, 3, 2, 2)).refused("not_your_turn")
    given(meeting(4)).when(1, set_odds(3, 3, 2, 2)).refused("wrong_phase")
    given(at_bets(4)).when(1, set_odds(3, 3, 2, 2)).refused("wrong_phase")


def test_a_command_left_without_limit_is_written_without_it() -> None:
    """BM-O1 (contract, Log)"""
    after = given(at_odds(4)).when(1, set_odds(3, 3, 2, 2)).accepted()
    secret = after.events[-1].secret(1)
    assert secret is not None
    assert secret["command"] == {"type": "bookmaker.set_odds", "odds": by_horse(3, 3, 2, 2)}
