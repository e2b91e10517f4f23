"""The full log over HTTP: closed until the end, then open to all, line by line as it was hashed."""

import json
from hashlib import sha256
from typing import Any

import pytest

from tests.kit.face import Api, Client
from tests.kit.tables import Meeting, Person, running


def lines(text: str) -> list[dict[str, Any]]:
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def organiser(api: Api, admin: Client) -> Person:
    person = Person(api, "Olga")
    admin.patch(f"/v1/players/{person.id}", json={"roles": ["organiser"]})
    return person


def test_the_log_of_a_meeting_that_is_over_is_open_and_its_hashes_hold(
    api: Api, anybody: Client
) -> None:
    meeting, people = running(api)
    for person in people[::-1]:
        person.client.post(f"{meeting.path}/abandon")
    log = anybody.get(f"{meeting.path}/log")
    assert log.headers["content-type"] == "application/x-ndjson"
    assert log.content.endswith(b"\n")
    digest = "0" * 64
    for raw in log.content.removesuffix(b"\n").split(b"\n"):
        event = json.loads(raw)
        body = raw[: -len(f',"hash":"{event["hash"]}"}}')] + b"}"
        digest = sha256(digest.encode() + body).hexdigest()
        assert event["hash"] == digest
    told = lines(log.text)
    assert told[0]["type"] == "meeting_opened"
    assert told[-1]["type"] == "meeting_abandoned"
    assert told[0]["private"]["server"]["seed"] == told[-1]["seed"]
    assert sha256(bytes.fromhex(told[-1]["seed"])).hexdigest() == told[0]["commitment"]


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, "application/x-ndjson"),
        ("*/*", "application/x-ndjson"),
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/*, application/x-ndjson;q=0.5", "text/plain; charset=utf-8"),
        ("application/json", None),
    ],
)
def test_the_log_comes_as_lines_of_json_or_as_plain_text(
    api: Api, accept: str | None, media: str | None
) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    ann.client.post(f"{meeting.path}/abandon")
    headers = {} if accept is None else {"Accept": accept}
    answer = ann.client.get(f"{meeting.path}/log", headers=headers)
    if media is None:
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
    else:
        assert answer.headers["content-type"] == media
        assert len(lines(answer.text)) == 2


def test_before_the_end_the_log_is_closed_to_all_but_organisers_without_a_seat(
    api: Api, admin: Client, anybody: Client
) -> None:
    meeting, people = running(api)
    seated = organiser(api, admin)
    waiting = Meeting(people[0]).seat(seated)
    kept = Meeting(people[0])
    people[0].client.post(f"{kept.path}/seats", json={"player": seated.id})
    for client, path in (
        (anybody, meeting.path),
        (people[0].client, meeting.path),
        (Person(api).client, meeting.path),
        (seated.client, waiting.path),
        (seated.client, kept.path),
    ):
        answer = client.get(f"{path}/log")
        assert (answer.status_code, answer.json()["code"]) == (403, "log_closed")
    assert organiser(api, admin).client.get(f"{meeting.path}/log").status_code == 200


def test_an_organiser_sees_hands_but_nothing_of_the_servers_and_it_is_written_down(
    api: Api, admin: Client
) -> None:
    meeting, _ = running(api, arranged={"draws": {"bookmaker": [1]}})
    olga = organiser(api, admin)
    log = olga.client.get(f"{meeting.path}/log")
    told = lines(log.text)
    dealt = next(event for event in told if event["type"] == "bookmaker.hands_dealt")
    assert set(dealt["private"]) == {"1", "2"}
    assert not any("server" in event.get("private", {}) for event in told)
    for secret in ("seed", "salt", '"arranged":{'):
        assert secret not in log.text
    audit = api.data / "audit.ndjson"
    assert audit.stat().st_mode & 0o777 == 0o600
    note = json.loads(audit.read_text().splitlines()[-1])
    assert (note["what"], note["meeting"], note["player"]) == (
        "log_read_before_end",
        meeting.id,
        olga.id,
    )


def test_what_an_organiser_reads_early_has_the_form_of_the_log(api: Api, admin: Client) -> None:
    meeting, people = running(api)
    early = organiser(api, admin).client.get(f"{meeting.path}/log").text.splitlines()
    assert admin.post(f"{meeting.path}/abandon").status_code == 200
    log = people[0].client.get(f"{meeting.path}/log").text.splitlines()
    assert log[: len(early)] != early
    for line, told in zip(log, early, strict=False):
        assert told[-75:] == line[-75:]
        assert told == line or '"private"' in line


def test_before_the_start_an_organiser_sees_no_nonce(api: Api, admin: Client) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    ann.client.post(f"{meeting.path}/seats", json={"nonce": "my-own-secret"})
    log = organiser(api, admin).client.get(f"{meeting.path}/log")
    assert log.status_code == 200
    assert "my-own-secret" not in log.text
    assert "nonce_hash" in log.text


def test_a_refused_look_at_the_log_is_not_written_down(api: Api) -> None:
    meeting, people = running(api)
    people[0].client.get(f"{meeting.path}/log")
    audit = api.data / "audit.ndjson"
    assert not audit.exists() or meeting.id not in audit.read_text()
