"""The contract of a store of views; each adapter keeps it."""

import pytest

from projections.projection import Change, Fetch, Since
from service.ports_views import (
    SEEDS,
    Applied,
    Batch,
    Found,
    Progress,
    Slice,
    Stall,
    Views,
    ViewState,
)
from tests.service.projecting.conftest import PARTITIONS, Store


@pytest.fixture
def views(store: Store) -> Views:
    return store[1]


def put(id_: str, body: str, *places: tuple[str, str]) -> Change:
    return Change(id=id_, body=body.encode(), add=places)


def batch(first: int, last: int, *changes: Change, **fields: int) -> Batch:
    return Batch(
        partition=fields.pop("partition", 0), first=first, last=last, changes=changes, **fields
    )


async def begun(views: Views) -> int:
    """A first generation, empty and live."""
    number = await views.begin("v", "1", None)
    assert number is not None
    assert await views.switch("v", number)
    return number


async def test_a_view_without_generations_has_nothing_live(views: Views) -> None:
    assert await views.state("v") == ViewState(live=None, versions={}, invalid=False, left=())
    assert await views.live("v") is None


async def test_the_first_generation_is_live_once_it_is_switched_to(views: Views) -> None:
    number = await views.begin("v", "1", None)
    assert number is not None
    state = await views.state("v")
    assert state == ViewState(live=None, versions={number: "1"}, invalid=False, left=())
    assert await views.begin("v", "1", None) == number, "it is being built"
    assert await views.switch("v", number)
    assert await views.live("v") == number
    state = await views.state("v")
    assert state == ViewState(live=number, versions={number: "1"}, invalid=False, left=())


async def test_a_switch_gives_up_older_generations_that_were_never_finished(views: Views) -> None:
    live = await begun(views)
    halves = [await views.begin("v", version, live) for version in ("2", "3", "4")]
    assert None not in halves
    assert halves[1] is not None
    assert await views.switch("v", halves[1])
    state = await views.state("v")
    assert (state.live, set(state.versions)) == (halves[1], {halves[1], halves[2]})
    assert set(state.left) == {live, halves[0]}
    assert halves[0] is not None
    assert await views.apply("v", halves[0], batch(1, 1)) is Applied.GONE


async def test_who_begins_on_an_old_sight_of_the_view_begins_nothing(views: Views) -> None:
    await begun(views)
    assert await views.begin("v", "1", None) is None


async def test_a_version_is_built_once_at_a_time(views: Views) -> None:
    live = await begun(views)
    built = await views.begin("v", "2", live)
    assert await views.begin("v", "2", live) == built
    assert await views.begin("v", "3", live) not in (built, live, None)


async def test_a_generation_may_be_built_beside_a_live_one_of_its_version(views: Views) -> None:
    live = await begun(views)
    assert await views.begin("v", "1", live) not in (live, None)


async def test_a_batch_changes_documents_indexes_and_checkpoint_together(views: Views) -> None:
    g = await begun(views)
    applied = await views.apply("v", g, batch(1, 3, put("a", "x", ("all", "1|a"), ("some", "1|a"))))
    assert applied is Applied.APPLIED
    assert (await views.progress("v", g)).positions == (3, 0, 0, 0)
    assert await views.documents("v", g, ["a", "b"]) == {"a": b"x", "b": None}
    change = Change(
        id="a", body=b"y", add=(("all", "2|a"),), drop=(("all", "1|a"), ("some", "1|a"))
    )
    assert await views.apply("v", g, batch(4, 4, change)) is Applied.APPLIED
    contents = await views.contents("v", g)
    assert contents.documents == {"a": b"y"}
    assert contents.indexes == {"all": ["2|a"]}


async def test_a_document_can_be_removed(views: Views) -> None:
    g = await begun(views)
    await views.apply("v", g, batch(1, 1, put("a", "x", ("all", "1|a"))))
    gone = Change(id="a", body=None, drop=(("all", "1|a"),))
    assert await views.apply("v", g, batch(2, 2, gone)) is Applied.APPLIED
    contents = await views.contents("v", g)
    assert (contents.documents, contents.indexes) == ({}, {})


@pytest.mark.parametrize(
    ("first", "last", "outcome"),
    [
        (1, 1, Applied.SKIP),
        (1, 5, Applied.SKIP),
        (5, 5, Applied.SKIP),
        (5, 9, Applied.SKIP),
        (7, 7, Applied.GAP),
        (100, 100, Applied.GAP),
        (6, 6, Applied.APPLIED),
    ],
)
async def test_only_what_comes_next_is_applied(
    views: Views, first: int, last: int, outcome: Applied
) -> None:
    g = await begun(views)
    await views.apply("v", g, batch(1, 5))
    assert await views.apply("v", g, batch(first, last, put("a", "x"))) is outcome
    is_there = (await views.documents("v", g, ["a"]))["a"] is not None
    assert is_there == (outcome is Applied.APPLIED)
    position = (await views.progress("v", g)).positions[0]
    assert position == (last if outcome is Applied.APPLIED else 5)


async def test_partitions_and_seeds_have_checkpoints_of_their_own(views: Views) -> None:
    g = await begun(views)
    for partition in range(PARTITIONS):
        applied = await views.apply("v", g, batch(1, partition + 1, partition=partition))
        assert applied is Applied.APPLIED
    assert await views.apply("v", g, batch(1, 1, partition=SEEDS)) is Applied.APPLIED
    assert await views.apply("v", g, batch(1, 1, partition=SEEDS)) is Applied.SKIP
    assert (await views.progress("v", g)).positions == (1, 2, 3, 4)


async def test_a_batch_on_shared_documents_counts_only_if_they_are_as_it_read_them(
    views: Views,
) -> None:
    g = await begun(views)
    first = batch(1, 1, put("a", "x"), revision=0)
    second = batch(1, 1, put("a", "y"), revision=0, partition=1)
    assert await views.apply("v", g, first) is Applied.APPLIED
    assert await views.apply("v", g, second) is Applied.STALE
    assert await views.progress("v", g) == Progress(positions=(1, 0, 0, 0), stalled={})
    again = batch(1, 1, put("a", "y"), revision=1, partition=1)
    assert await views.apply("v", g, again) is Applied.APPLIED
    assert (await views.documents("v", g, ["a"]))["a"] == b"y"


async def test_every_batch_changes_the_revision_but_the_first_documents(views: Views) -> None:
    g = await begun(views)
    await views.apply("v", g, batch(1, 1, put("a", "x"), partition=SEEDS))
    assert (await views.progress("v", g)).revision == 0
    await views.apply("v", g, batch(1, 3, put("a", "x")))
    assert (await views.progress("v", g)).revision == 3
    assert await views.apply("v", g, batch(4, 4, revision=0)) is Applied.STALE
    assert await views.apply("v", g, batch(4, 4, revision=3)) is Applied.APPLIED


async def test_a_batch_leaves_the_mark_of_its_last_entry(views: Views) -> None:
    g = await begun(views)
    marked = Batch(partition=2, first=1, last=5, mark="ab" * 32)
    assert await views.apply("v", g, marked) is Applied.APPLIED
    assert (await views.progress("v", g)).marks == {2: "ab" * 32}
    assert await views.apply("v", g, batch(6, 6, partition=2)) is Applied.APPLIED
    assert (await views.progress("v", g)).marks == {}


async def test_a_page_goes_on_behind_a_member_that_need_not_be_there(views: Views) -> None:
    g = await begun(views)
    changes = [put(id_, "x", ("all", f"{id_}|{id_}")) for id_ in "abcdef"]
    await views.apply("v", g, batch(1, 1, *changes))

    async def page(after: str | None, backwards: bool) -> str:
        found = await views.page("v", g, "all", after=after, count=3, backwards=backwards)
        return "".join(member[0] for member, _ in found.items)

    assert await page(None, False) == "abc"
    assert await page("c|c", False) == "def"
    assert await page("c|cc", False) == "def"
    assert await page("f|f", False) == ""
    assert await page(None, True) == "fed"
    assert await page("d|d", True) == "cba"
    assert await page("d|cc", True) == "cba"
    assert await page("a|a", True) == ""
    assert await views.page("v", g, "none", count=3) == Slice()


async def test_what_a_fold_asks_for_is_told_with_how_far_the_view_is(views: Views) -> None:
    g = await begun(views)
    changes = [put(id_, id_.upper(), ("all", f"{id_}|{id_}")) for id_ in "abcdef"]
    await views.apply("v", g, batch(1, 3, *changes))
    await views.apply("v", g, batch(1, 4, partition=2))
    await views.apply("v", g, batch(1, 1, partition=SEEDS))
    found = await views.answer("v", g, 0, Since("all", "d|"))
    assert found == Found(documents={"d": b"D", "e": b"E", "f": b"F"}, position=3, revision=7)
    assert list(found.documents) == ["d", "e", "f"]
    found = await views.answer("v", g, 2, Fetch(("f", "x")))
    assert found == Found(documents={"f": b"F", "x": None}, position=4, revision=7)
    found = await views.answer("v", g, 1, Since("none", "a|"))
    assert found == Found(documents={}, position=0, revision=7)
    assert (await views.answer("v", g, 1, Fetch(()))).documents == {}


async def test_a_page_holds_the_documents_and_tells_what_comes_before(views: Views) -> None:
    g = await begun(views)
    keys = {"a": "1", "b": "2", "c": "2", "d": "2", "e": "3"}
    changes = [put(id_, id_.upper(), ("all", f"{key}|{id_}")) for id_, key in keys.items()]
    await views.apply("v", g, batch(1, 1, *changes))
    found = await views.page("v", g, "all", after="2|b", count=2)
    assert found == Slice(items=[("2|c", b"C"), ("2|d", b"D")], before=2, lower=1)
    found = await views.page("v", g, "all", count=9, backwards=True)
    assert [body for _, body in found.items] == [b"E", b"D", b"C", b"B", b"A"]
    assert (found.before, found.lower) == (4, 4)


async def test_members_are_sorted_by_their_bytes(views: Views) -> None:
    g = await begun(views)
    names = ["Z", "a", "é", "~", "€", "🐎", "10", "9"]
    await views.apply("v", g, batch(1, 1, *(put(n, "x", ("all", f"{n}|{n}")) for n in names)))
    found = await views.page("v", g, "all", count=10)
    assert [m for m, _ in found.items] == [f"{n}|{n}" for n in sorted(names, key=str.encode)]


async def test_readers_turn_to_a_generation_that_is_as_far_as_theirs(views: Views) -> None:
    old = await begun(views)
    await views.apply("v", old, batch(1, 5))
    new = await views.begin("v", "2", old)
    assert new is not None
    await views.apply("v", new, batch(1, 4))
    assert not await views.switch("v", new)
    assert await views.live("v") == old
    await views.apply("v", new, batch(5, 6))
    assert await views.switch("v", new)
    assert await views.state("v") == ViewState(
        live=new, versions={new: "2"}, invalid=False, left=(old,)
    )


async def test_a_switch_is_made_once(views: Views) -> None:
    old = await begun(views)
    new = await views.begin("v", "2", old)
    assert new is not None
    assert await views.switch("v", new)
    assert not await views.switch("v", new)
    assert not await views.switch("v", old)
    assert not await views.switch("v", 99)
    assert await views.live("v") == new


async def test_a_generation_given_up_takes_no_more_but_can_still_be_read(views: Views) -> None:
    old = await begun(views)
    await views.apply("v", old, batch(1, 1, put("a", "x", ("all", "1|a"))))
    new = await views.begin("v", "2", old)
    assert new is not None
    await views.apply("v", new, batch(1, 1))
    await views.switch("v", new)
    assert await views.apply("v", old, batch(2, 2, put("b", "x"))) is Applied.GONE
    assert await views.documents("v", old, ["a", "b"]) == {"a": b"x", "b": None}
    assert await views.apply("v", 99, batch(1, 1)) is Applied.GONE


async def test_what_was_given_up_is_retired_once(views: Views) -> None:
    old = await begun(views)
    await views.apply("v", old, batch(1, 1, put("a", "x", ("all", "1|a"))))
    new = await views.begin("v", "2", old)
    assert new is not None
    await views.apply("v", new, batch(1, 1))
    await views.switch("v", new)
    await views.retire("v", old)
    assert (await views.state("v")).left == ()


async def test_an_invalid_generation_stays_live_and_may_be_left_for_one_behind_it(
    views: Views,
) -> None:
    old = await begun(views)
    await views.apply("v", old, batch(1, 9))
    await views.invalidate("v", old)
    state = await views.state("v")
    assert (state.live, state.invalid) == (old, True)
    new = await views.begin("v", "1", old)
    assert new is not None
    assert await views.switch("v", new)
    assert (await views.state("v")).invalid is False


async def test_an_invalid_generation_that_is_being_built_is_given_up(views: Views) -> None:
    live = await begun(views)
    new = await views.begin("v", "2", live)
    assert new is not None
    await views.invalidate("v", new)
    assert await views.state("v") == ViewState(
        live=live, versions={live: "1"}, invalid=False, left=(new,)
    )
    assert await views.begin("v", "2", live) not in (new, None)


async def test_a_stall_stands_until_its_partition_moves(views: Views) -> None:
    g = await begun(views)
    stall = Stall(position=1, meeting="m1", reason="UnknownFact horse_bolted")
    await views.stall("v", g, 2, stall)
    assert (await views.progress("v", g)).stalled == {2: stall}
    await views.apply("v", g, batch(1, 1, partition=1))
    assert (await views.progress("v", g)).stalled == {2: stall}
    await views.apply("v", g, batch(1, 1, partition=2))
    assert (await views.progress("v", g)).stalled == {}


async def test_a_partition_that_has_passed_a_position_does_not_stall_at_it(views: Views) -> None:
    g = await begun(views)
    await views.apply("v", g, batch(1, 4, partition=2))
    await views.stall("v", g, 2, Stall(position=4, meeting="m1", reason="KeyError"))
    assert (await views.progress("v", g)).stalled == {}


async def test_stalls_are_forgotten_on_request(views: Views) -> None:
    g = await begun(views)
    await views.stall("v", g, 0, Stall(position=1, meeting="m1", reason="KeyError"))
    await views.stall("v", g, 3, Stall(position=1, meeting="m2", reason="KeyError"))
    await views.retry("v")
    assert (await views.progress("v", g)).stalled == {}


async def test_a_generation_given_up_does_not_stall(views: Views) -> None:
    await views.stall("v", 7, 0, Stall(position=1, meeting="m1", reason="KeyError"))
    assert (await views.progress("v", 7)).stalled == {}


async def test_views_know_nothing_of_each_other(views: Views) -> None:
    g = await begun(views)
    await views.apply("v", g, batch(1, 1, put("a", "x")))
    other = await views.begin("w", "1", None)
    assert other is not None
    assert await views.live("w") is None
    assert await views.documents("w", other, ["a"]) == {"a": None}
    assert (await views.progress("w", other)).positions == (0, 0, 0, 0)


async def test_many_documents_are_read_and_applied_at_once(views: Views) -> None:
    g = await begun(views)
    ids = [f"d{number:04d}" for number in range(1_200)]
    await views.apply("v", g, batch(1, 1, *(put(i, i, ("all", f"{i}|{i}")) for i in ids)))
    assert await views.documents("v", g, ids) == {i: i.encode() for i in ids}
    found = await views.answer("v", g, 0, Since("all", "d"))
    assert list(found.documents) == ids
    found = await views.answer("v", g, 0, Fetch(tuple(ids)))
    assert found.documents == {i: i.encode() for i in ids}
