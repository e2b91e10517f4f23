"""The log as text: canonical form, hash chain, redaction (contract, Log and Versions)."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785

from domain.kernel.chance import salt
from domain.kernel.lines import GENESIS, canonical, chain, join, redact, split, wire
from domain.racing.events import MeetingOpened, RaceClosed, SeatTaken

LOG = Path(__file__).parents[2] / "vectors" / "log.ndjson"
LINES = LOG.read_bytes().split(b"\n")[:-1]


def test_the_hash_chain_is_that_of_the_published_log() -> None:
    """Contract, Log"""
    assert len(LINES) == 9
    digest = GENESIS
    for line in LINES:
        body, told = split(line)
        digest = chain(digest, body)
        assert digest == told
        assert join(body, digest) == line


def test_our_encoder_writes_the_published_lines() -> None:
    """Contract, Log: all their characters and numbers."""
    for line in LINES:
        body, _ = split(line)
        assert (
            canonical(msgspec.json.decode(body)) == body == rfc8785.dumps(msgspec.json.decode(body))
        )


def test_the_published_salts_follow_from_the_seed() -> None:
    """Contract, Log"""
    events: list[dict[str, Any]] = [msgspec.json.decode(split(line)[0]) for line in LINES]
    seed = bytes.fromhex(events[-1]["seed"])
    salted = [event for event in events if "private" in event]
    assert len(salted) == 2
    for event in salted:
        assert event["private"]["server"]["salt"] == salt(seed, event["seq"])


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b'{"a":1}', LINES[0][:-1], LINES[0] + b" ", LINES[0].replace(b"hash", b"hush")],
)
def test_a_line_that_does_not_end_in_its_hash_is_none(line: bytes) -> None:
    """Contract, Log"""
    with pytest.raises(ValueError, match="hash"):
        split(line)


STRANGE = 'Zoé \u2028\u2029 😀 "q" \\ \t\u0007\u007f\u0080/<é>\u0000'


@pytest.mark.parametrize(
    "value", [STRANGE, 0, -1, 2**53 - 1, 0.1, 2.5, 99.9, 61.6, [], {}, None, True, [1, {"b": 0}]]
)
def test_our_encoder_agrees_with_rfc_8785(value: Any) -> None:
    """Contract, Log"""
    form = {"z": value, "a": [value], "_": {"10": value, "9": value}}
    assert canonical(form) == rfc8785.dumps(form)


def test_every_odds_in_tenths_is_written_as_rfc_8785_says() -> None:
    """Contract, Log: whole ones as integers, others with one decimal."""
    from domain.betting.odds import to_number

    for tenths in range(1001):
        number = to_number(tenths)
        assert canonical({"n": number}) == rfc8785.dumps({"n": number})
        assert isinstance(number, int) == (tenths % 10 == 0)


TAKEN = SeatTaken(
    seq=3,
    at="2026-05-01T14:00:00.000Z",
    meeting="m-1",
    seat=2,
    player="p-1",
    name="Ann",
    kind="human",
    bot=None,
    nonce_hash="ab",
    private={"2": {"nonce": "n"}, "server": {"salt": "s"}},
)


def test_a_viewer_keeps_its_own_secret_and_no_other() -> None:
    """Contract, Versions"""
    own, other, public = redact(TAKEN, 2), redact(TAKEN, 1), redact(TAKEN, 0)
    assert own is not None
    assert other is not None
    assert own.private == {"2": {"nonce": "n"}}
    assert other == public
    assert other.private is msgspec.UNSET


def test_an_event_for_some_is_told_to_them_alone() -> None:
    """Contract, Versions"""
    secret = msgspec.structs.replace(TAKEN, audience=(1, 3))
    assert [redact(secret, viewer) is not None for viewer in range(4)] == [
        False,
        True,
        False,
        True,
    ]
    nobody = msgspec.structs.replace(TAKEN, audience=())
    assert all(redact(nobody, viewer) is None for viewer in range(4))


def test_a_feed_shows_own_secrets_at_the_top_and_nothing_of_the_envelope() -> None:
    """Contract, Versions"""
    own = redact(TAKEN, 2)
    assert own is not None
    assert wire(own, 2, 7) == {
        "version": 7,
        "at": "2026-05-01T14:00:00.000Z",
        "meeting": "m-1",
        "type": "seat_taken",
        "seat": 2,
        "player": "p-1",
        "name": "Ann",
        "kind": "human",
        "bot": None,
        "nonce_hash": "ab",
        "nonce": "n",
    }
    public = redact(TAKEN, 0)
    assert public is not None
    assert "nonce" not in wire(public, 0, 3)


def test_a_private_field_replaces_a_public_one_of_its_name() -> None:
    """Contract, Versions"""
    event = msgspec.structs.replace(TAKEN, private={"2": {"name": "Me"}})
    assert wire(event, 2, 1)["name"] == "Me"


def test_a_hash_is_shown_where_it_is_given() -> None:
    """Contract, Versions"""
    closed = RaceClosed(seq=9, at="2026-05-01T14:00:00.000Z", meeting="m-1", race=1)
    assert wire(closed, 0, 9, "f00")["hash"] == "f00"
    assert "hash" not in wire(closed, 0, 9)


def test_events_are_lines_with_their_type() -> None:
    """Contract, Names"""
    body = msgspec.json.decode(canonical(TAKEN))
    assert body["type"] == "seat_taken"
    assert body["audience"] == "public"
    assert "command" not in body
    assert MeetingOpened.__struct_config__.tag == "meeting_opened"
