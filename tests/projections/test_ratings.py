"""Ratings worked by hand: Weng and Lin's algorithm 4, with OpenSkill's default parameters."""

from math import exp, sqrt

import pytest

from projections.ratings import BOT_SIGMA, NEWCOMER, Strength, of_bot, rate, rating_of

BETA, TAU = 25 / 6, 25 / 300


def by_hand(strengths: list[Strength], ranks: list[int]) -> list[Strength]:
    """The published algorithm, written out for players without teams and without ties."""
    squares = [s.sigma**2 + TAU**2 for s in strengths]
    c = sqrt(sum(square + BETA**2 for square in squares))
    power = [exp(s.mu / c) for s in strengths]
    after = []
    for i, (own, square) in enumerate(zip(strengths, squares, strict=True)):
        omega = delta = 0.0
        for q, rank in enumerate(ranks):
            if rank > ranks[i]:
                continue  # those behind i had no part in i's places
            field = sum(p for p, r in zip(power, ranks, strict=True) if r >= rank)
            chance = power[i] / field
            omega += (1 if q == i else 0) - chance
            delta += chance * (1 - chance)
        gamma = sqrt(square) / c
        mu = own.mu + square / c * omega
        sigma = sqrt(square) * sqrt(max(1 - gamma * square / c**2 * delta, 0.0001))
        after.append(Strength(mu, sigma))
    return after


def test_a_newcomer_s_rating_is_nought() -> None:
    assert Strength(25.0, 25 / 3) == NEWCOMER
    assert str(rating_of(NEWCOMER)) == "0.0"


def test_two_newcomers_after_one_meeting() -> None:
    winner, loser = rate([NEWCOMER, NEWCOMER], [1, 2])
    assert (round(winner.mu, 4), round(winner.sigma, 4)) == (27.6354, 8.0659)
    assert (round(loser.mu, 4), round(loser.sigma, 4)) == (22.3646, 8.0659)
    assert (rating_of(winner), rating_of(loser)) == (3.44, -1.83)


@pytest.mark.parametrize(
    ("strengths", "ranks"),
    [
        ([NEWCOMER, NEWCOMER], [1, 2]),
        ([NEWCOMER, NEWCOMER, NEWCOMER], [2, 3, 1]),
        ([Strength(30.0, 2.0), Strength(20.0, 5.0), NEWCOMER, Strength(27.5, 1.5)], [4, 1, 3, 2]),
        ([of_bot(20.0), NEWCOMER, Strength(31.0, 3.0)], [2, 1, 3]),
    ],
)
def test_ratings_are_those_of_the_published_algorithm(
    strengths: list[Strength], ranks: list[int]
) -> None:
    for made, wanted in zip(rate(strengths, ranks), by_hand(strengths, ranks), strict=True):
        assert made.mu == pytest.approx(wanted.mu, abs=1e-9)
        assert made.sigma == pytest.approx(wanted.sigma, abs=1e-9)


def test_seats_that_share_a_rank_fare_alike() -> None:
    first, second, third = rate([NEWCOMER] * 3, [1, 1, 3])
    assert first == second
    assert first.mu > NEWCOMER.mu > third.mu


def test_the_same_meeting_gives_the_same_numbers_to_the_last_bit() -> None:
    strengths = [Strength(24.123456789, 3.3), NEWCOMER, of_bot(7.5)]
    assert rate(strengths, [3, 1, 2]) == rate(strengths, [3, 1, 2])


@pytest.mark.parametrize("published", [0.0, 2.0, 20.0, 31.25])
def test_a_built_in_bot_plays_at_its_published_rating(published: float) -> None:
    assert rating_of(of_bot(published)) == published
    assert of_bot(published).sigma == BOT_SIGMA == TAU


def test_to_beat_a_stronger_bot_tells_more() -> None:
    beat_weak = rate([NEWCOMER, of_bot(5.0)], [1, 2])[0]
    beat_strong = rate([NEWCOMER, of_bot(35.0)], [1, 2])[0]
    assert beat_strong.mu > beat_weak.mu
