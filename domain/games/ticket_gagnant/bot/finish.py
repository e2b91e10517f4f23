"""What a prediction earns as the last card leaves the horses, exactly but for chances of ties."""

from collections.abc import Sequence

from msgspec import Struct

from domain.games.ticket_gagnant.board import (
    BOXED,
    DISQUALIFIED,
    HORSE_INDEX,
    HORSES,
    NO_SHOW,
    PAYS_EXACT,
    PAYS_SHOWN,
    PLACES,
    ROW,
    TRIFECTA,
)
from domain.games.ticket_gagnant.events import Prediction
from domain.games.ticket_gagnant.state import Table
from domain.games.ticket_gagnant.track import Ground

Named = tuple[tuple[int, int], ...]


def named_of(prediction: Prediction) -> Named:
    """(place, horse) of a prediction, both by index."""
    return tuple((i, HORSE_INDEX[horse]) for i, horse in enumerate(prediction.named) if horse)


class Finish(Struct, frozen=True, kw_only=True):
    """Worth of a prediction when no card is left: exact but for chances of ties.

    Args:
        named: (place, horse) of the prediction.
        hoofprints: places that disqualify.
        rail: whether the rail settles ties; else each of the tied is as likely ahead.
        last_place: what the last of seven costs.
    """

    named: Named
    hoofprints: frozenset[int]
    rail: bool
    last_place: int

    def worth(self, places: Sequence[int]) -> float:
        """What the prediction earns, on average over photo finishes."""
        rows = [where // ROW for where in places]
        if self.rail:
            rows = [where // ROW * ROW + ROW - where % ROW for where in places]
        racing = [h for h in range(len(HORSES)) if places[h] not in self.hoofprints]
        total, exact, shown = 0.0, 1.0, 1.0
        for place, horse in self.named:
            if horse not in racing:
                total += DISQUALIFIED
                exact = shown = 0.0
                continue
            ahead = sum(rows[h] > rows[horse] for h in racing)
            tied = sum(rows[h] == rows[horse] for h in racing)
            ranks = range(ahead, ahead + tied)
            total += sum(self._pay(place, rank, len(racing)) for rank in ranks) / tied
            exact *= (place in ranks) / tied
            shown *= sum(rank < len(PLACES) for rank in ranks) / tied
        return total + bonus(exact, shown) if len(self.named) == len(PLACES) else total

    def _pay(self, place: int, rank: int, ranked: int) -> int:
        if rank < len(PLACES):
            return PAYS_EXACT[place] if rank == place else PAYS_SHOWN
        return self.last_place if rank == len(HORSES) - 1 and ranked == len(HORSES) else NO_SHOW


def finish_of(t: Table, field: Ground, seat: int) -> Finish:
    """How a seat's prediction is paid in this race."""
    prediction = t.predictions[seat - 1]
    assert prediction is not None, "the seat has predicted"
    return Finish(
        named=named_of(prediction),
        hoofprints=field.hoofprints,
        rail=t.photo_finish == "rail",
        last_place=t.last_place,
    )


def bonus(exact: float, shown: float) -> float:
    """What three predicted horses add: chances that all are right, that all are shown (TG-P6)."""
    return TRIFECTA * exact + BOXED * (shown - exact)
