"""What no answer and no line of the log may hold."""

import json
from typing import Any

import httpx
import pytest

from service.http.app import create_app
from service.lists import Lobby
from service.memory.event_log import MemoryEventLog
from service.memory.views import MemoryViews
from tests.kit.face import ADMIN, Api
from tests.kit.memory_face import memory_deps
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person

NONCE = "a-nonce-of-this-test-alone"


def test_no_token_hand_nonce_or_seed_is_logged(
    face_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    api = Api(face_redis.url, tmp_path_factory.mktemp("secrets"), log_level="debug")
    try:
        ann, ben = Person(api), Person(api)
        new = ann.client.post("/v1/me/token").json()["token"]
        meeting = Meeting(ann)
        ann.client.post(f"{meeting.path}/seats", json={"nonce": NONCE})
        meeting.seat(ben).start()
        dead = api.client("hs_p0123456789abcdef_thisisadeadtoken0123456789")
        assert dead.get("/v1/me").status_code == 401
        ann.client.get(f"{meeting.path}/board?token={ann.token}")
        ann.client.send_raw("POST", f"{meeting.path}/commands", ann.token.encode())
        for path in (f"/v1/players/{ann.token}/token", f"/v1/meetings/{ann.token}/start"):
            assert ann.client.post(path).status_code == 404
        assert ann.client.get(f"/{ann.token}").status_code == 404
        with face_redis.client() as redis:
            redis.set(f"players:{{{ben.id}}}", ben.token)
        assert ben.client.get("/v1/me").status_code == 500
        hand = meeting.board(ann)["seats"][0]["hand"]
        ann.client.post(f"{meeting.path}/abandon")
    finally:
        api.stop()
    lines = api.log.read_text()
    assert '"call_failed"' in lines
    assert meeting.id in lines
    assert ann.id in lines
    secrets = [ADMIN, new, NONCE, *(token for person in (ann, ben) for token in parts(person))]
    for secret in [*secrets, "thisisadeadtoken", json.dumps(hand)]:
        assert secret not in lines


def parts(person: Person) -> list[str]:
    return [person.token, person.token.rpartition("_")[2]]


class Broken(Lobby):
    """A lobby that fails with words that nobody may read."""

    async def list(self, **_: Any) -> Any:
        raise RuntimeError("the secret is wombat")


async def test_a_fault_tells_neither_caller_nor_log_its_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = MemoryEventLog()
    deps = memory_deps()
    deps = type(deps)(
        **{
            **{name: getattr(deps, name) for name in deps.__struct_fields__},
            "lobby": Broken(log, MemoryViews(log.partitions)),
        }
    )
    transport = httpx.ASGITransport(app=create_app(deps))
    async with httpx.AsyncClient(transport=transport, base_url="http://t") as client:
        answer = await client.get("/v1/meetings?cursor=x")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    logged = capsys.readouterr()
    for text in (answer.text, logged.out, logged.err):
        assert "wombat" not in text
        assert "Traceback" not in text
    assert "call_failed" in logged.out + logged.err
