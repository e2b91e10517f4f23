"""Tokens over HTTP: rotated, given anew, ended; dead ones refused in every process."""

import time

import pytest

from tests.kit.face import ADMIN, Api, Client
from tests.kit.tables import Person, running

DEAD_SECONDS = 5.0


def works(client: Client, path: str = "/v1/me") -> bool:
    answer = client.get(path)
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def dies(client: Client, path: str = "/v1/me") -> bool:
    """Whether a token is refused within five seconds."""
    until = time.monotonic() + DEAD_SECONDS
    while time.monotonic() < until:
        if not works(client, path):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(
    "header",
    [
        "Bearer nonsense",
        "Bearer",
        "Basic YWRtaW46YWRtaW4=",
        "Bearer hs_p0123456789abcdef_AAAA",
        "Bearer hs_admin_AAAA",
        f"Token {ADMIN}",
    ],
)
def test_a_token_that_is_none_is_refused_even_where_none_is_needed(
    anybody: Client, header: str
) -> None:
    for path in ("/v1/me", "/v1/games", "/v1/meetings/unknown/board"):
        answer = anybody.get(path, headers={"Authorization": header})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_scheme_is_read_whatever_its_case(api: Api, anybody: Client) -> None:
    token = Person(api).token
    for scheme in ("bearer", "BEARER"):
        answer = anybody.get("/v1/me", headers={"Authorization": f"{scheme} {token}"})
        assert answer.status_code == 200


def test_a_call_that_needs_a_token_says_so_before_anything_else(anybody: Client) -> None:
    answer = anybody.send_raw("POST", "/v1/meetings/unknown/commands", b"{", Content_Type="x/y")
    assert answer.status_code == 401


def test_a_rotated_token_works_until_the_new_one_is_used(api: Api, other: Api) -> None:
    ann = Person(api)
    answer = ann.client.post("/v1/me/token")
    assert answer.headers["cache-control"] == "no-store"
    new = answer.json()["token"]
    assert works(ann.client)
    assert works(ann.on(other))
    with api.client(new) as renewed:
        assert works(renewed)
        assert not works(ann.client)
    assert dies(ann.on(other))


def test_rotating_again_ends_a_new_token_that_was_never_used(api: Api) -> None:
    ann = Person(api)
    first = ann.client.post("/v1/me/token").json()["token"]
    second = ann.client.post("/v1/me/token").json()["token"]
    with api.client(first) as lost, api.client(second) as renewed:
        assert not works(lost)
        assert works(ann.client)
        assert works(renewed)
        assert not works(ann.client)


def test_the_new_token_of_a_rotation_can_itself_be_rotated(api: Api) -> None:
    token = Person(api).token
    for _ in range(3):
        with api.client(token) as client:
            token = client.post("/v1/me/token").json()["token"]
    with api.client(token) as client:
        assert works(client)


def test_an_admin_gives_a_new_token_in_place_of_all_others(api: Api, admin: Client) -> None:
    ann = Person(api)
    pending = ann.client.post("/v1/me/token").json()["token"]
    new = admin.post(f"/v1/players/{ann.id}/token").json()["token"]
    with api.client(pending) as replaced, api.client(new) as renewed:
        assert not works(ann.client)
        assert not works(replaced)
        assert works(renewed)


def test_an_idempotency_key_brings_no_token_back(api: Api, admin: Client) -> None:
    ann = Person(api)
    headers = {"Idempotency-Key": "once"}

    def token(client: Client, path: str, body: dict[str, str]) -> str:
        shown: str = client.post(path, json=body, headers=headers).json()["token"]
        return shown

    assert token(ann.client, "/v1/me/token", {}) != token(ann.client, "/v1/me/token", {})
    for path, body in (("/v1/players", {"name": "Eve"}), (f"/v1/players/{ann.id}/token", {})):
        assert token(admin, path, body) != token(admin, path, body)


def test_an_owner_or_an_admin_ends_a_token(api: Api, admin: Client) -> None:
    ann, ben = Person(api), Person(api)
    assert ben.client.delete(f"/v1/players/{ann.id}/token").status_code == 403
    assert ann.client.delete(f"/v1/players/{ann.id}/token").status_code == 204
    assert admin.delete(f"/v1/players/{ben.id}/token").status_code == 204
    assert not works(ann.client)
    assert not works(ben.client)


def test_a_dead_token_is_refused_in_every_process_also_on_the_way_of_play(
    api: Api, other: Api, admin: Client
) -> None:
    meeting, people = running(api)
    elsewhere = people[0].on(other)
    board = f"{meeting.path}/board"
    assert works(elsewhere, board)
    admin.delete(f"/v1/players/{people[0].id}/token")
    assert dies(elsewhere, board)


def test_a_token_given_in_one_process_works_at_once_in_the_other_on_the_way_of_play(
    api: Api, other: Api, admin: Client
) -> None:
    meeting, people = running(api)
    assert works(people[0].on(other), f"{meeting.path}/board")
    new = admin.post(f"/v1/players/{people[0].id}/token").json()["token"]
    assert works(other.client(new), f"{meeting.path}/board")
