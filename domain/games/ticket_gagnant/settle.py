"""What a race earns: integers in, integers out (TG-P)."""

from collections.abc import Sequence

from domain.games.ticket_gagnant.board import (
    BOXED,
    DISQUALIFIED,
    FORTY,
    HORSES,
    NO_SHOW,
    PAYS_EXACT,
    PAYS_SHOWN,
    PLACES,
    SCORE_LEAST,
    TRIFECTA,
)


def net(
    named: Sequence[str | None],
    ranking: Sequence[str],
    disqualified: Sequence[str],
    last_place: int,
) -> int:
    """What one prediction earns, before the floor (TG-P1 to TG-P6).

    Args:
        named: by place, the horse predicted there or None.
        ranking: horses by rank, without the disqualified.
        disqualified: the others.
        last_place: what the last of seven costs.
    """
    podium = list(ranking[: len(PLACES)])
    total = 0
    for place, horse in enumerate(named):
        if horse is None:
            continue
        if horse in disqualified:
            total += DISQUALIFIED  # TG-P5
        elif horse in podium:
            exact = podium[place : place + 1] == [horse]
            total += PAYS_EXACT[place] if exact else PAYS_SHOWN  # TG-P1, TG-P2
        elif len(ranking) == len(HORSES) and ranking[-1] == horse:
            total += last_place  # TG-P4
        else:
            total += NO_SHOW  # TG-P3
    if None not in named and len(podium) == len(PLACES):  # TG-P6
        if list(named) == podium:
            total += TRIFECTA
        elif set(named) == set(podium):
            total += BOXED
    return total


def new_score(score: int, net_sum: int) -> int:
    """The score after a race, raised to the floor (TG-P7)."""
    return max(score + net_sum, SCORE_LEAST)


def forty_tokens(score: int) -> int:
    """How many +40 tokens show a score (TG-P7)."""
    return (score - 1) // FORTY if score > FORTY else 0


def final_ranking(scores: Sequence[int]) -> list[tuple[int, int, int]]:
    """(seat, rank, score), by rank, then seat; equal scores share: 1, 1, 3 (TG-P8)."""
    rows = [(i + 1, 1 + sum(other > s for other in scores), s) for i, s in enumerate(scores)]
    return sorted(rows, key=lambda row: (row[1], row[0]))
