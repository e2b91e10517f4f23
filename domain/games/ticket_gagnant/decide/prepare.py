"""From the start of a meeting or a race to the predictions."""

from typing import Any

from msgspec import UNSET, to_builtins

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant import reasons as r
from domain.games.ticket_gagnant.board import (
    DEAL_LEAST,
    DEAL_MOST,
    DECKS,
    HEDGES,
    HORSES,
    PLACES,
)
from domain.games.ticket_gagnant.state import Table, next_seat
from domain.kernel.message import SERVER
from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Rejected
from domain.racing.draft import Draft
from domain.racing.events import RaceOpened


def begin(draft: Draft) -> None:
    """The meeting starts: the first player is drawn, race 1 opens (TG-S6)."""
    t: Table = draft.table
    seats = draft.draw("first_player", range(1, t.seats + 1))
    draft.record(e.FirstPlayerDrawn, first=seats[0], draws={"first_player": seats[:1]})
    open_race(draft, 1, seats[0])


def open_race(draft: Draft, race: int, first: int) -> None:
    """The horses line up (TG-S3); a race of the programme opens dealt (TG-S4)."""
    t: Table = draft.table
    draft.record(RaceOpened, race=race, races=t.races)
    label = f"race-{race}/lanes"
    lanes = draft.draw(label, HORSES)
    draft.record(e.LanesDrawn, first=first, lanes=lanes, draws={label: lanes})
    if isinstance(t.choice_option, list):
        fixed = t.choice_option[race - 1]
        river = fixed.get("river")
        draft.record(
            e.RaceChosen,
            kind=fixed["kind"],
            deal=fixed["deal"],
            hidden=fixed["hidden"],
            river=None if river is None else e.RiverPlace(hedge=river["hedge"], side=river["side"]),
        )
        deal_hands(draft, first, fixed["deal"])


def deal_hands(draft: Draft, first: int, deal: int) -> None:
    """Shuffle the whole deck and deal in blocks from the first player (TG-S5)."""
    t: Table = draft.table
    label = f"race-{t.race}/deck"
    deck = draft.draw(label, DECKS[t.wild])
    private: dict[int | str, dict[str, Any]] = {}
    seat = first
    for block in range(t.seats):
        private[seat] = {"hand": deck[block * deal : (block + 1) * deal]}
        seat = next_seat(t, seat)
    private[SERVER] = {"draws": {label: deck[: t.seats * deal]}}
    draft.record(e.HandsDealt, count=deal, private=private)


def choose_race(draft: Draft, seat: int, command: c.ChooseRace) -> None:
    """The first player chooses the race (TG-S4)."""
    t: Table = draft.table
    if seat != t.first:
        raise Rejected(NOT_YOUR_TURN)
    if t.choice_option == "flat_only" and command.kind != "flat":
        raise Rejected(r.CHOICE_KIND)
    if not DEAL_LEAST <= command.deal <= DEAL_MOST:
        raise Rejected(r.CHOICE_DEAL)
    if (command.river is not UNSET) != (command.kind == "steeplechase"):
        raise Rejected(r.CHOICE_RIVER)
    river = None
    if command.river is not UNSET:
        if command.river.hedge not in HEDGES:
            raise Rejected(r.CHOICE_HEDGE)
        river = e.RiverPlace(hedge=command.river.hedge, side=command.river.side)
    draft.record(
        e.RaceChosen,
        seat=seat,
        kind=command.kind,
        deal=command.deal,
        hidden=command.hidden is True,
        river=river,
    )
    deal_hands(draft, seat, command.deal)


def predict(draft: Draft, seat: int, command: c.Predict) -> None:
    """A seat predicts in secret; when the last has, all may see unless hidden (TG-B1)."""
    t: Table = draft.table
    if t.predicted[seat - 1]:
        raise Rejected(ALREADY_DONE)
    wished = [getattr(command, place) for place in PLACES]
    named = [None if horse is UNSET else horse for horse in wished]
    horses = [horse for horse in named if horse is not None]
    if not horses:
        raise Rejected(r.PREDICT_NONE)
    if len(set(horses)) < len(horses):
        raise Rejected(r.PREDICT_TWICE)
    prediction = e.Prediction(first=named[0], second=named[1], third=named[2])
    draft.record(
        e.PredictionMade,
        seat=seat,
        private={seat: {"prediction": to_builtins(prediction)}},
        secret_command=True,
    )
    if all(t.predicted):
        assert t.choice is not None, "a race is chosen before it is predicted"
        draft.record(e.MovesOpened, predictions=None if t.choice.hidden else list(t.predictions))
