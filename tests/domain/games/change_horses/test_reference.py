"""The game against its sheet written a second time: after every command the same board.

Rules: CH-S1 to CH-E6, in random meetings of every seat count and turn order.
"""

from random import Random
from typing import Any

import pytest

from domain.kernel.message import body_of
from tests.domain.games.change_horses.paddock import table
from tests.domain.games.change_horses.reference import Reference
from tests.kit.meetings import Played, by_bots, seated
from tests.kit.spec import board


class Drawn:
    """What the log has shown of each draw."""

    def __init__(self, played: Played) -> None:
        self.played = played

    def __call__(self, label: str) -> list[Any]:
        """The items of a draw."""
        for made in self.played.events:
            for drawn, piece in made.pieces():
                if drawn == label:
                    return list(piece)
        raise AssertionError(f"{label}: not drawn")


def shown(played: Played, known: dict[str, Any]) -> dict[str, Any]:
    """The public board's fields that the reference tells of."""
    full = board(played)
    found = {name: full[name] for name in known if name != "seats"}
    keys = known["seats"][0].keys()
    found["seats"] = [{key: place[key] for key in keys} for place in full["seats"]]
    return found


CASES = [
    (seats, turn_order)
    for seats in (2, 3, 4, 5)
    for turn_order in ("basic", "derby")[: 1 + (seats > 2)]
]


@pytest.mark.parametrize(("seats", "turn_order"), CASES)
def test_after_every_command_the_board_is_what_the_sheet_says(seats: int, turn_order: str) -> None:
    """Random play with every option of a Wild Horse, short and long races, one and several."""
    for seed, (finish, races) in enumerate([(12, 1), (24, 2), (8, 3), (16, 1)]):
        source = Random(f"{seats} {turn_order} {seed}")
        options = {"turn_order": turn_order, "finish": finish, "races": races}
        played = seated(
            Played("change-horses", seats=seats, options=options, seed=bytes([seed]) * 32)
        )
        choose = by_bots(source, ("random", "steady") if seed % 2 else ("random",))
        reference = Reference(seats, options, Drawn(played))
        assert shown(played, reference.board()) == reference.board()
        while played.full.status == "running":
            seat = source.choice(played.game.waiting(played.full))
            command = choose(played, seat)
            played.give(seat, command)
            reference.do(seat, body_of(command))
            assert shown(played, reference.board()) == reference.board()
        owns = [sorted(own) for own in reference.owns.values()]
        assert table(played).certificates == owns
