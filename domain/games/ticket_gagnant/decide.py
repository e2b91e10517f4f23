"""What each command leads to: guards in the order of reasons.py, then facts."""

from typing import Any

from msgspec import UNSET

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant import reasons as r
from domain.games.ticket_gagnant.board import (
    DEAL_LEAST,
    DEAL_MOST,
    DECKS,
    HORSE_INDEX,
    HORSES,
    PAIR_OF,
    PLACES,
    SINGLE_OF,
    WILD,
    WILD_LENGTHS,
)
from domain.games.ticket_gagnant.options import River
from domain.games.ticket_gagnant.plays import displacement, has_play, straight_problem
from domain.games.ticket_gagnant.settle import final_ranking, net, new_score
from domain.games.ticket_gagnant.state import Table, ground, next_seat
from domain.games.ticket_gagnant.track import (
    Ground,
    beside_end,
    lane_of,
    place,
    ranking,
    space_of,
)
from domain.kernel.message import SERVER, Command
from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Rejected
from domain.racing.draft import Draft
from domain.racing.events import MeetingFinished, RaceClosed, RaceOpened, Rank


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
        chosen(
            draft,
            fixed["kind"],
            fixed["deal"],
            fixed["hidden"],
            None if river is None else River(hedge=river["hedge"], side=river["side"]),
            seat=None,
        )


def chosen(
    draft: Draft, kind: str, deal: int, hidden: bool, river: River | None, seat: int | None
) -> None:
    """The race is known: shuffle and deal in blocks from the first player (TG-S5)."""
    t: Table = draft.table
    content: dict[str, Any] = {} if seat is None else {"seat": seat}
    lies = None if river is None else e.RiverPlace(hedge=river.hedge, side=river.side)
    draft.record(e.RaceChosen, kind=kind, deal=deal, hidden=hidden, river=lies, **content)
    label = f"race-{t.race}/deck"
    deck = draft.draw(label, DECKS[t.wild])
    private: dict[int | str, dict[str, Any]] = {}
    seat = t.first
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
    river = None if command.river is UNSET else command.river
    chosen(draft, command.kind, command.deal, command.hidden, river, seat)


def predict(draft: Draft, seat: int, command: c.Predict) -> None:
    """A seat predicts in secret; when the last has, all may see unless hidden (TG-B1)."""
    t: Table = draft.table
    if t.predicted[seat - 1]:
        raise Rejected(ALREADY_DONE)
    wished = [getattr(command, place_) for place_ in PLACES]
    prediction = [None if horse is UNSET else horse for horse in wished]
    horses = [horse for horse in prediction if horse is not None]
    if not horses:
        raise Rejected(r.PREDICT_NONE)
    if len(set(horses)) < len(horses):
        raise Rejected(r.PREDICT_TWICE)
    draft.record(
        e.PredictionMade,
        seat=seat,
        private={seat: {"prediction": dict(zip(PLACES, prediction, strict=True))}},
        secret_command=True,
    )
    if all(t.predicted):
        assert t.choice is not None, "a race is chosen before it is predicted"
        draft.record(e.MovesOpened, predictions=None if t.choice.hidden else list(t.predictions))


def require_card(t: Table, seat: int, card: str) -> list[str]:
    """The hand of the seat in turn, which holds this card."""
    if seat != t.turn:
        raise Rejected(NOT_YOUR_TURN)
    hand = t.hands[seat - 1]
    assert hand is not None, "the full meeting knows all hands"
    if card not in hand:
        raise Rejected(r.CARD_NOT_IN_HAND)
    return hand


def play_card(draft: Draft, seat: int, command: c.PlayCard) -> None:
    """A card moves a horse, which may displace another (TG-M)."""
    t: Table = draft.table
    require_card(t, seat, command.card)
    field = ground(t)
    if command.card in PAIR_OF:
        horse, end = pair_end(t, field, command)
    else:
        horse, end = straight_end(t, field, command)
    displaced, options = displacement(t, field, horse, end)
    to = check_displaced(command, displaced, options)

    draft.record(
        e.CardPlayed,
        seat=seat,
        card=command.card,
        moved=None if end == t.places[horse] else moved(horse, end),
        displaced=None if to is None else moved(displaced, to),
    )
    if crossed(t, field) or not any(t.hand_counts):
        end_race(draft, field)


def straight_end(t: Table, field: Ground, command: c.PlayCard) -> tuple[int, int]:
    """(horse, place) of a single or a wild card (TG-M1 to TG-M4, TG-M10)."""
    if command.card in SINGLE_OF:
        horse, length = SINGLE_OF[command.card]
    else:
        assert command.horse is not UNSET, "the form of the card has it"
        horse = HORSE_INDEX[command.horse]
        if command.card == WILD:
            assert command.spaces is not UNSET, "the form of the card has it"
            length = command.spaces
            if length not in WILD_LENGTHS[WILD]:
                raise Rejected(r.SPACES_RANGE)
        else:
            length = WILD_LENGTHS[command.card][0]
    assert command.direction is not UNSET, "the form of the card has it"
    where = t.places[horse]
    end = field.straight[where][command.direction][length - 1]
    problem = straight_problem(field, where, end, command.direction)
    if problem is not None:
        raise Rejected(r.LINE_NO_RETURN if problem == "line" else r.MOVE_NOTHING)
    return horse, end


def pair_end(t: Table, field: Ground, command: c.PlayCard) -> tuple[int, int]:
    """(horse, place) of a pair (TG-M5, TG-M10)."""
    assert command.horse is not UNSET, "the form of the card has it"
    assert command.beside is not UNSET, "the form of the card has it"
    horse = HORSE_INDEX[command.horse]
    two = PAIR_OF[command.card]
    if horse not in two:
        raise Rejected(r.PAIR_HORSE)
    other = two[1] if horse == two[0] else two[0]
    end, problem = beside_end(field, t.places[horse], t.places[other], command.beside)
    if problem is not None:
        raise Rejected(r.LINE_NO_RETURN if problem == "line" else r.PAIR_SPACE)
    return horse, end


def check_displaced(command: c.PlayCard, displaced: int, options: tuple[int, ...]) -> int | None:
    """Where the displaced horse goes, or None if there is none (TG-M6)."""
    if displaced < 0:
        if command.displaced_to is not UNSET:
            raise Rejected(r.DISPLACED_NONE)
        return None
    if not options:
        raise Rejected(r.DISPLACED_STUCK)
    if command.displaced_to is UNSET:
        raise Rejected(r.DISPLACED_MISSING)
    to = command.displaced_to
    for option in options:
        if lane_of(option) == to.lane and space_of(option) == to.space:
            return option
    raise Rejected(r.DISPLACED_SPACE)


def moved(horse: int, where: int) -> e.Moved:
    """A horse on a place, as events write it."""
    return e.Moved(horse=HORSES[horse], lane=lane_of(where), space=space_of(where))


def crossed(t: Table, field: Ground) -> bool:
    """Whether a horse has crossed the line and so ended the race (TG-M9)."""
    return field.wins and max(t.places) >= place(0, field.line)


def discard_card(draft: Draft, seat: int, command: c.DiscardCard) -> None:
    """A seat without a legal play discards (TG-M11)."""
    t: Table = draft.table
    hand = require_card(t, seat, command.card)
    field = ground(t)
    if has_play(t, field, hand):
        raise Rejected(r.DISCARD_PLAYABLE)
    draft.record(e.CardDiscarded, seat=seat, card=command.card)
    if not any(t.hand_counts):
        end_race(draft, field)


def end_race(draft: Draft, field: Ground) -> None:
    """Rank, score, and open the next race or end the meeting (TG-R, TG-P)."""
    t: Table = draft.table
    if t.photo_finish == "draw":
        label = f"race-{t.race}/photo-finish"
        order = draft.draw(label, HORSES)
        draft.record(e.PhotoFinishDrawn, order=order, draws={label: order})
    ranked = [HORSES[h] for h in ranking(field, t.places, t.photo or None)]
    out = [horse for horse in HORSES if horse not in ranked]
    predictions = [p for p in t.predictions if p is not None]
    nets = [net(prediction, ranked, out, t.last_place) for prediction in predictions]
    scores = [new_score(s, n) for s, n in zip(t.scores, nets, strict=True)]
    draft.record(
        e.RaceScored,
        ranking=ranked,
        disqualified=out,
        predictions=predictions,
        nets=nets,
        scores=scores,
    )
    draft.record(RaceClosed, race=t.race)
    if t.race < t.races:
        open_race(draft, t.race + 1, next_seat(t, t.first))
        return
    seed = draft.meeting.seed
    assert seed is not None, "only the full meeting decides"
    places = [Rank(seat=s, rank=k, points=p) for s, k, p in final_ranking(t.scores)]
    draft.record(MeetingFinished, ranking=places, seed=seed)


DECIDE: dict[type[Command], Any] = {
    c.ChooseRace: choose_race,
    c.Predict: predict,
    c.PlayCard: play_card,
    c.DiscardCard: discard_card,
}
