"""The beginning of a race and its end (CH-S, CH-E)."""

from domain.games.change_horses import events as e
from domain.games.change_horses import settle
from domain.games.change_horses.board import HORSES
from domain.games.change_horses.decide.rounds import first_round
from domain.games.change_horses.state import Table, owner_of
from domain.kernel.message import SERVER
from domain.racing.draft import Draft
from domain.racing.events import MeetingFinished, RaceClosed, RaceOpened, Rank


def begin(draft: Draft) -> None:
    """The meeting starts."""
    open_race(draft, 1)


def open_race(draft: Draft, race: int) -> None:
    """Horses in their lanes, certificates to the seats, the first Position cards (CH-S)."""
    t: Table = draft.table
    draft.record(RaceOpened, race=race, races=t.races)
    label = f"race-{race}/lanes"
    lanes = draft.draw(label, HORSES)
    draft.record(e.HorsesPlaced, lanes=lanes, draws={label: lanes})
    deal_certificates(draft)
    first_round(draft)


def deal_certificates(draft: Draft) -> None:
    """One to each seat, two each with two seats; the rest is the pile, top first (CH-S3)."""
    t: Table = draft.table
    label = f"race-{t.race}/certificates"
    drawn = draft.draw(label, HORSES)
    each = 2 if t.seats == 2 else 1
    private: dict[int | str, dict[str, object]] = {
        seat: {"certificates": sorted(drawn[(seat - 1) * each : seat * each])}
        for seat in range(1, t.seats + 1)
    }
    private[SERVER] = {"draws": {label: drawn}}
    draft.record(e.CertificatesDealt, pile_count=len(HORSES) - each * t.seats, private=private)


def owners(t: Table) -> list[settle.Owner | None]:
    """Who owns each horse, as the photo finish asks (CH-E3, CH-E4)."""
    seats = [owner_of(t, horse) for horse in range(len(HORSES))]
    found: list[settle.Owner | None] = []
    for horse, seat in enumerate(seats):
        if seat is None:
            found.append(None)
            continue
        last = 0
        if t.derby:
            last = -t.carrots[seat - 1]
        elif t.seats == 2:
            other = next(h for h, s in enumerate(seats) if s == seat and h != horse)
            last = t.spaces[other]
        found.append(settle.Owner(seat, t.wild_left[seat - 1], t.changed[seat - 1], last))
    return found


def end_race(draft: Draft, how: str) -> None:
    """Reveal, rank and score; then the next race, or the end of the meeting (CH-E1, CH-E6)."""
    t: Table = draft.table
    owned = owners(t)
    ranks = settle.rank_horses(t.spaces, owned)
    best = settle.best_ranks(ranks, owned, t.seats)
    draft.record(
        e.RaceEnded,
        how=how,
        certificates={str(s): list(own or ()) for s, own in enumerate(t.certificates, 1)},
        ranking=[
            e.HorseRank(horse=HORSES[h], rank=ranks[h], seat=owner.seat if owner else None)
            for h, owner in sorted(enumerate(owned), key=lambda pair: ranks[pair[0]])
        ],
        points=[settle.race_points(rank) for rank in best],
    )
    draft.record(RaceClosed, race=t.race)
    if t.race < t.races:
        open_race(draft, t.race + 1)
        return
    seed = draft.meeting.seed
    assert seed is not None, "only the full meeting decides"
    draft.record(
        MeetingFinished,
        ranking=[
            Rank(seat=s, rank=k, points=p) for s, k, p in settle.ranking(best, t.points, t.races)
        ],
        seed=seed,
    )
