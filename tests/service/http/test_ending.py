"""Who must have asked before a host may abandon: the clause of 24 hours."""

from domain.racing.meeting import Meeting, Place
from service.http.ending import all_asked

NOW = "2026-05-02T12:00:00.000Z"


def at_table(*acted_at: str | None, kind: str = "human") -> Meeting:
    return Meeting(
        viewer=-1,
        seats=[
            Place(seat=number, player=f"p{number}", kind=kind, acted_at=acted)
            for number, acted in enumerate(acted_at, 1)
        ],
    )


def test_a_human_who_acted_within_24_hours_must_have_asked() -> None:
    table = at_table("2026-05-01T12:00:00.000Z", "2026-05-02T11:59:00.000Z")
    assert not all_asked(table, {1}, NOW)
    assert not all_asked(table, {2}, NOW)
    assert all_asked(table, {1, 2}, NOW)


def test_a_human_who_did_nothing_for_longer_need_not() -> None:
    table = at_table("2026-05-01T11:59:59.999Z", "2026-05-02T11:59:00.000Z")
    assert all_asked(table, {2}, NOW)


def test_bots_and_free_seats_are_not_waited_for() -> None:
    assert all_asked(at_table(NOW, NOW, kind="bot"), set(), NOW)
    assert all_asked(at_table(None), set(), NOW)
