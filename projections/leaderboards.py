"""The leaderboards: for each game every player's rating, meetings and wins.

Results count in the order of (time of finish, meeting id), whatever order they arrive in. Each
rated result is kept with the strengths before and after it; one that arrives late is put in its
place, and those behind it are computed again where somebody's strength before them has changed.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from projections.facts import Fact
from projections.ladder import (
    MEETING,
    RATED,
    STANDING,
    Entrant,
    RatedResult,
    Standing,
    rated_of,
    rated_result,
    standing_id,
)
from projections.projection import (
    Answer,
    Change,
    Changes,
    Fetch,
    Projection,
    Since,
    Steps,
    changes_of,
    fold_meetings,
    member,
)
from projections.ratings import NEWCOMER, Strength, of_bot, rate, rating_of
from projections.results import HANDLES, evolver, initial
from projections.terms import Terms


def settle(game: str, new: Sequence[RatedResult], terms: Terms) -> Steps:
    """Put new results of one game in their place, and compute what follows again."""
    first = min(new, key=_order)
    held = yield Since(rated_of(game), member(first.at, RATED.prefix + first.meeting))
    behind = [RATED.decode(body) for body in held.values() if body is not None]
    results = sorted([*behind, *new], key=_order)
    ids = tuple(dict.fromkeys(standing_id(game, s.sitter) for r in results for s in r.entrants))
    bodies = yield Fetch(ids)
    standings = {
        id_: None if (body := bodies[id_]) is None else STANDING.decode(body) for id_ in ids
    }
    now = {id_: NEWCOMER if s is None else s.strength for id_, s in standings.items()}
    for result in reversed(behind):  # so that the first one behind has the last word
        now.update({standing_id(game, s.sitter): s.before for s in result.entrants})
    fresh = {result.meeting for result in new}
    for result in results:
        is_new = result.meeting in fresh
        _compute(result, now, terms, is_new=is_new)
        for id_, entrants in _by_standing(result).items():
            now[id_] = entrants[0].after
            standings[id_] = standing = _stand(standings[id_], game, entrants[0])
            if is_new:
                standing.meetings += 1
                standing.wins += any(entrant.rank == 1 for entrant in entrants)
    rated = {RATED.prefix + result.meeting: result for result in results}
    old: Answer = {id_: held.get(id_) for id_ in rated}
    known = {id_: standing for id_, standing in standings.items() if standing is not None}
    return Changes(
        (*changes_of(RATED, old, rated), *changes_of(STANDING, bodies, known)), shared=True
    )


def _order(result: RatedResult) -> tuple[str, str]:
    return result.at, result.meeting


def _by_standing(result: RatedResult) -> dict[str, list[Entrant]]:
    """The seats of each who took part: a built-in bot may have several."""
    seats: dict[str, list[Entrant]] = {}
    for entrant in result.entrants:
        seats.setdefault(standing_id(result.game, entrant.sitter), []).append(entrant)
    return seats


def _compute(
    result: RatedResult, now: Mapping[str, Strength], terms: Terms, *, is_new: bool
) -> None:
    """Set the strengths of a result, unless they are known from the same ones before it."""
    before = [
        now[standing_id(result.game, entrant.sitter)]
        if entrant.sitter.bot is None
        else of_bot(terms.bots[result.game][entrant.sitter.bot].rating)
        for entrant in result.entrants
    ]
    if not is_new and before == [entrant.before for entrant in result.entrants]:
        return
    after = rate(before, [entrant.rank for entrant in result.entrants])
    for entrant, was, becomes in zip(result.entrants, before, after, strict=True):
        entrant.before = was
        entrant.after = becomes if entrant.sitter.bot is None else was


def _stand(standing: Standing | None, game: str, entrant: Entrant) -> Standing:
    """The standing after a result; a built-in bot's rating and name are fixed."""
    sitter = entrant.sitter
    if standing is None:
        standing = Standing(game=game, player=sitter.player, name=sitter.name, kind=sitter.kind)
    if sitter.bot is None:
        standing.name, standing.kind = sitter.name, sitter.kind
        standing.strength, standing.rating = entrant.after, rating_of(entrant.after)
    return standing


def seeds(terms: Terms) -> tuple[Change, ...]:
    """The built-in bots stand in the lists of their games before anybody has played."""
    made = []
    for game, bots in sorted(terms.bots.items()):
        for bot, terms_of_bot in sorted(bots.items()):
            standing = Standing(
                game=game,
                player=terms_of_bot.player,
                name=terms_of_bot.name,
                kind="bot",
                rating=round(terms_of_bot.rating, 2),
                strength=of_bot(terms_of_bot.rating),
            )
            made.append(STANDING.change(f"{STANDING.prefix}{game}:b:{bot}", None, standing))
    return tuple(change for change in made if change is not None)


def leaderboards(terms: Terms) -> Projection:
    """The projection of the leaderboards, rated on these terms."""
    evolve = evolver(terms)

    def fold(facts: Sequence[Fact]) -> Steps:
        old, documents = yield from fold_meetings(MEETING, initial, evolve, facts)
        changes = list(changes_of(MEETING, old, documents))
        rated = [rated_result(result) for result in documents.values() if result.rated]
        rated.sort(key=lambda result: (result.game, *_order(result)))
        shared = False
        for game, new in groupby(rated, key=lambda result: result.game):
            settled = yield from settle(game, list(new), terms)
            changes += settled.changes
            shared = True
        return Changes(tuple(changes), shared=shared)

    return Projection(
        name="leaderboards",
        version=f"1-{terms.edition()}",
        handles=HANDLES,
        initial=initial,
        evolve=evolve,
        fold=fold,
        seeds=seeds(terms),
    )
