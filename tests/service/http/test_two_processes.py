"""Two API processes share nothing but Redis: what one did, the other knows at once."""

from tests.kit.face import Api
from tests.kit.tables import Meeting, Person, running

ROUNDS = 500


def test_what_one_process_appends_the_other_answers_from_a_thousand_times(
    api: Api, other: Api
) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    one, two = ann.client, ann.on(other)
    seats, seat = f"{meeting.path}/seats", f"{meeting.path}/seats/1"
    for turn in range(ROUNDS):
        assert one.post(seats, json={"seat": 1}).status_code == 201
        board = two.get(f"{meeting.path}/board").json()
        assert (board["version"], board["viewer"]) == (2 * turn + 2, 1)
        assert two.delete(seat).status_code == 204
        assert one.get(meeting.path).json()["version"] == 2 * turn + 3
        one, two = two, one


def test_both_processes_decide_on_the_state_that_the_other_made(api: Api, other: Api) -> None:
    meeting, people = running(api, arranged={"draws": {"bookmaker": [1]}})
    here, there = people[0].client, people[0].on(other)
    bettor = people[1].on(other)
    path = f"{meeting.path}/commands"
    odds = {"red": 3, "blue": 3, "green": 2, "yellow": 2}
    bet = {"type": "bookmaker.place_bet", "bookmaker": 1, "horse": "red", "stake": 10}
    assert there.get(f"{meeting.path}/board").json()["phase"] == "odds"
    assert bettor.post(path, json=bet).json()["code"] == "wrong_phase"
    assert here.post(path, json={"type": "bookmaker.set_odds", "odds": odds}).is_success
    assert bettor.post(path, json=bet).is_success
    decision = here.get(f"{meeting.path}/board").json()["decision"]
    assert decision == there.get(f"{meeting.path}/board").json()["decision"]


def test_a_seat_taken_in_one_process_plays_in_the_other(api: Api, other: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    there = ann.on(other)
    borrow = {"type": "bookmaker.borrow", "amount": 10}
    assert there.post(f"{meeting.path}/commands", json=borrow).json()["code"] == "not_your_seat"
    meeting.seat(ann, Person(api)).start()
    assert there.post(f"{meeting.path}/commands", json=borrow).is_success
