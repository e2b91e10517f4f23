"""The end of a race and of the meeting."""

from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant.board import HORSES
from domain.games.ticket_gagnant.decide.prepare import open_race
from domain.games.ticket_gagnant.settle import final_ranking, net, new_score
from domain.games.ticket_gagnant.state import Table, next_seat
from domain.games.ticket_gagnant.track import Ground, ranking
from domain.racing.draft import Draft
from domain.racing.events import MeetingFinished, RaceClosed, Rank


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
    nets = [net(p.named, ranked, out, t.last_place) for p in predictions]
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
    rows = [Rank(seat=s, rank=k, points=p) for s, k, p in final_ranking(t.scores)]
    draft.record(MeetingFinished, ranking=rows, seed=seed)
