"""Players and roles over HTTP."""

import pytest

from tests.kit.face import ADMIN, Api, Client
from tests.kit.tables import Meeting, Person


def test_a_new_player_gets_a_token_that_says_who_it_is(api: Api) -> None:
    ann = Person(api, "Ann")
    me = ann.client.get("/v1/me")
    assert me.json() == {"id": ann.id, "name": "Ann", "roles": ["player"], "seats": []}
    assert me.headers["cache-control"] == "private, no-cache"


def test_a_player_is_shown_to_everybody_without_its_roles(api: Api, anybody: Client) -> None:
    ann = Person(api, "Ännchen 騎手 🏇")
    shown = anybody.get(f"/v1/players/{ann.id}").json()
    assert shown == {"id": ann.id, "name": "Ännchen 騎手 🏇", "kind": "human"}


def test_a_built_in_bot_is_a_player_too(anybody: Client) -> None:
    shown = anybody.get("/v1/players/steady").json()
    assert shown == {"id": "steady", "name": "steady", "kind": "bot"}


@pytest.mark.parametrize("player", ["p0123456789abcdef", "nobody", "%00", "a/b", "%F0%9F%8F%87"])
def test_a_player_that_is_not_there_is_not_found(anybody: Client, player: str) -> None:
    assert anybody.get(f"/v1/players/{player}").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 41,
        " Ann",
        "Ann ",
        "\u3000Ann",
        "An\u00a0",
        "A\tn",
        "A\x00n",
        "A\u200bn",
        "A\ue000n",
        "A\u0378n",
        "e\u0301",
        "\u202eAnn",
    ],
)
def test_a_name_that_may_not_be_is_malformed(anybody: Client, name: str) -> None:
    answer = anybody.post("/v1/players", json={"name": name})
    assert (answer.status_code, answer.json()["pointer"]) == (400, "/name")


@pytest.mark.parametrize("name", ["x", "x" * 40, "A  B", "🏇" * 40, "\u00e9"])
def test_names_of_one_to_forty_characters_may_be(anybody: Client, name: str) -> None:
    assert anybody.post("/v1/players", json={"name": name}).json()["name"] == name


def test_a_name_need_not_be_unique(api: Api) -> None:
    assert Person(api, "Ann").id != Person(api, "Ann").id


def test_the_admin_gives_roles_which_hold_at_once_in_every_process(
    api: Api, other: Api, admin: Client
) -> None:
    ann = Person(api)
    ann.on(other).get("/v1/me")
    answer = admin.patch(f"/v1/players/{ann.id}", json={"roles": ["organiser", "player"]})
    assert answer.json()["roles"] == ["player", "organiser"]
    assert ann.on(other).get("/v1/me").json()["roles"] == ["player", "organiser"]


def test_nobody_else_gives_roles(api: Api) -> None:
    ann = Person(api)
    answer = ann.client.patch(f"/v1/players/{ann.id}", json={"roles": ["admin"]})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("roles", [[], ["king"], ["player", "player"], None, "admin", [1]])
def test_roles_that_make_no_sense_are_malformed(api: Api, admin: Client, roles: object) -> None:
    answer = admin.patch(f"/v1/players/{Person(api).id}", json={"roles": roles})
    assert (answer.status_code, answer.json()["pointer"][:6]) == (400, "/roles")


def test_the_player_admin_stays_an_admin(admin: Client) -> None:
    answer = admin.patch("/v1/players/admin", json={"roles": ["player"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "admin_needed")


def test_a_built_in_bot_has_neither_roles_nor_a_token(admin: Client) -> None:
    assert admin.patch("/v1/players/steady", json={"roles": ["admin"]}).status_code == 404
    assert admin.post("/v1/players/steady/token").status_code == 404


def test_me_tells_where_i_sit_and_not_where_a_seat_is_kept_for_me(api: Api) -> None:
    ann, ben = Person(api, "Ann"), Person(api, "Ben")
    meeting = Meeting(ann, seats=3).seat(ann, ann)
    kept = Meeting(ann).host.client.post(f"{meeting.path}/seats", json={"player": ben.id})
    assert kept.status_code == 201
    assert ann.client.get("/v1/me").json()["seats"] == [
        {"meeting": meeting.id, "seat": 1, "status": "open"},
        {"meeting": meeting.id, "seat": 2, "status": "open"},
    ]
    assert ben.client.get("/v1/me").json()["seats"] == []


def test_where_registration_is_closed_only_an_admin_makes_players(
    api: Api, face_redis: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = face_redis.url  # type: ignore[attr-defined]
    closed = Api(url, tmp_path_factory.mktemp("closed"), registration="closed")
    try:
        with closed.client() as anybody, Person(api).on(closed) as ann:
            for caller in (anybody, ann):
                answer = caller.post("/v1/players", json={"name": "Eve"})
                assert (answer.status_code, answer.json()["code"]) == (403, "registration_closed")
            assert anybody.post("/v1/players", json={"name": 1}).status_code == 400
        with closed.client(ADMIN) as admin:
            assert admin.post("/v1/players", json={"name": "Eve"}).status_code == 201
    finally:
        closed.stop()
