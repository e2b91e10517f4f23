"""What a log line says, and that no secret is ever in one, whichever library wrote it."""

import io
import json
import logging
import sys
import traceback
import warnings
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest
import rq.logutils
import structlog

from service import logs
from service.withholding import WITHHELD, scrub, withhold

SEED = sha256(b"seed").digest()
TOKEN = urlsafe_b64encode(sha256(b"token").digest()).decode().rstrip("=")
HAND = ["-".join(("lucky", "horse"))]
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the log goes; afterwards this process logs as before."""
    root = logging.root
    before = (root.handlers[:], root.level, structlog.get_config())
    yield io.StringIO()
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    structlog.configure(**before[2])
    logging.captureWarnings(False)


@pytest.fixture
def lines(stream: io.StringIO) -> Lines:
    """The lines written so far, as JSON."""
    logs.configure("json", "info", part="api.1", stream=stream)
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_names_its_event_its_part_and_what_it_is_about(lines: Lines) -> None:
    log = logs.get_logger("service.handling")
    with logs.bound(lambda: {"meeting": "m-1", "player": "p-1"}):
        with logs.bound(lambda: {"version": 7, "command_id": "c-1", "player": None}):
            log.info("command_accepted", events=3)
        log.warning("command_refused", code="wrong_phase")
    log.info("alone")
    inner, outer, alone = lines()
    assert inner.pop("timestamp").endswith("Z")
    assert inner == {
        "event": "command_accepted",
        "level": "info",
        "logger_name": "service.handling",
        "part": "api.1",
        "meeting": "m-1",
        "player": "p-1",
        "version": 7,
        "command_id": "c-1",
        "events": 3,
    }
    assert {"version", "command_id"}.isdisjoint(outer)
    assert outer["meeting"] == "m-1"
    assert "meeting" not in alone


def test_lines_below_the_level_are_not_written(stream: io.StringIO) -> None:
    logs.configure("json", "warning", stream=stream)
    logs.get_logger("x").info("little")
    logging.getLogger("uvicorn.error").info("little")
    logs.get_logger("x").warning("much")
    logging.getLogger("uvicorn.error").warning("much")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["much"] * 2


@pytest.mark.parametrize(
    "name", ["uvicorn", "uvicorn.error", "rq.worker", "rq.job", "rq.scheduler", "litestar", "redis"]
)
def test_a_library_writes_the_same_lines_once(lines: Lines, name: str) -> None:
    with logs.bound(lambda: {"meeting": "m-1"}):
        logging.getLogger(name).error("went %s with token=%s", "wrong", TOKEN)
    (line,) = lines()
    assert line["event"] == f"went wrong with token={WITHHELD}"
    assert (line["logger_name"], line["level"], line["part"]) == (name, "error", "api.1")
    assert line["meeting"] == "m-1"


def test_handlers_that_rq_made_before_are_taken_over(stream: io.StringIO) -> None:
    worker = logging.getLogger("rq.worker")
    logging.root.handlers[:] = []
    rq.logutils.setup_loghandlers("INFO")
    assert not worker.propagate
    logs.configure("json", stream=stream)
    rq.logutils.setup_loghandlers("INFO")
    worker.info("listening")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["listening"]


def test_requests_are_not_told_one_by_one_with_their_query_strings(lines: Lines) -> None:
    logging.getLogger("uvicorn.access").info('"GET /v1/me/feed?ticket=%s"', TOKEN)
    logging.getLogger("httpx").info("HTTP Request: GET http://x/?ticket=%s", TOKEN)
    assert lines() == []


def test_warnings_of_python_are_lines_too(lines: Lines) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(False)
        logging.captureWarnings(True)
        warnings.warn("careful", stacklevel=1)
        logging.captureWarnings(False)
    assert "careful" in lines()[0]["event"]


class Dealt(msgspec.Struct):
    """An event with a hand in it."""

    hand: list[str]


SECRET_KEYS = [
    "token",
    "admin_token",
    "X-Token",
    "Authorization",
    "nonce",
    "nonces",
    "nonce_hash",
    "seed",
    "hand",
    "private",
    "ticket",
    "password",
    "secret",
    "draws",
    "Set-Cookie",
]


@pytest.mark.parametrize("key", SECRET_KEYS)
@pytest.mark.parametrize("value", ["word", 17, ["seven", "ten"], {"a": 1}, None])
def test_a_secret_key_is_withheld_at_any_depth(key: str, value: Any) -> None:
    entry = withhold(None, "info", {key: value, "inside": {"list": [1], key: value}})
    assert entry == {key: WITHHELD, "inside": {"list": [1], key: WITHHELD}}


@pytest.mark.parametrize("key", ["body", "command", "board", "events", "headers", "query"])
def test_a_whole_body_is_withheld_but_a_count_of_it_passes(key: str) -> None:
    assert withhold(None, "info", {key: {"type": "bookmaker.place_bet"}}) == {key: WITHHELD}
    assert withhold(None, "info", {key: 3}) == {key: 3}


@pytest.mark.parametrize(
    "text",
    [
        TOKEN,
        f"Authorization: Bearer {TOKEN}",
        "authorization=Bearer short",
        "Basic dXNlcjpwdw==",
        f"GET /v1/me/feed?ticket={TOKEN}&after=3",
        "/feed?ticket=short",
        f"seed {SEED.hex()}",
        f"seed={SEED!r}",
        f"read {SEED!r} from the log",
        f'{{"nonce": "lucky horse", "token":"{TOKEN}"}}',
        "Sit(seat=1, nonce='lucky horse')",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw",
        "redis://user:lucky@db:6379 refused",
        "SeatTaken(private={'1': {'hand': ['lucky']}})",
        "KeyError: hand: ['lucky', 'horse']",
        "nothing\x1b[31m",
    ],
)
def test_what_looks_like_a_secret_is_taken_out_of_text(text: str) -> None:
    clean = scrub(text)
    for word in (TOKEN, SEED.hex(), repr(SEED), "lucky", "short", "MfKQ9", "dXNl", "\x1b"):
        assert word not in clean


@pytest.mark.parametrize(
    "text",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "the race was settled in 12 ms, 3 of 5 seats paid",
        "2026-11-30T12:00:00.000Z",
        "/usr/lib/python3.11/site-packages/redis/asyncio/connection.py:1234",
        "redis://127.0.0.1:6379/0",
        "_call_with_frames_removed_from_traceback",
        "12345678901234567890123456",
    ],
)
def test_ordinary_text_passes(text: str) -> None:
    assert scrub(text) == text


def test_of_records_and_bytes_only_the_kind_is_told() -> None:
    entry = withhold(None, "info", {"a": Dealt(hand=["lucky"]), "b": b"lucky", "c": [SEED], "n": 1})
    assert entry == {"a": "<Dealt>", "b": "<bytes>", "c": ["<bytes>"], "n": 1}
    deep: Any = Dealt(hand=["lucky"])
    for _ in range(10):
        deep = {"x": deep}
    assert "lucky" not in repr(withhold(None, "info", {"deep": deep}))


def test_an_id_passes_however_long_it_is() -> None:
    ids = {"meeting": "m" + "7" * 40, "command_id": f"turn:{'a1' * 20}:3", "player": "p1" * 20}
    assert withhold(None, "info", ids) == ids


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_shows_neither_local_variables_nor_tokens_of_its_message(
    stream: io.StringIO, form: Any
) -> None:
    logs.configure(form, "info", stream=stream)

    def draw(seed: str, hand: list[str]) -> None:
        raise ValueError(f"Bearer {TOKEN} may not draw for hand={hand!r}", len(seed))

    for report in (logs.get_logger("x").exception, logging.getLogger("rq.worker").exception):
        try:
            draw(SEED.hex(), ["lucky"])
        except ValueError:
            report("draw_failed")
            raw = traceback.format_exc()
    assert TOKEN in raw, "the secret was there to be withheld"
    written = stream.getvalue()
    assert written.count("Traceback (most recent call last)") == 2
    assert written.count("in draw") == 2
    for secret in (TOKEN, SEED.hex(), *HAND):
        assert secret not in written


def test_a_long_text_is_cut_in_the_middle() -> None:
    clean = scrub("begin " + "word " * 5_000 + "end")
    assert len(clean) < 2_100
    assert clean.startswith("begin")
    assert clean.endswith("end")


def test_the_log_goes_to_standard_output_by_default(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stream)
    logs.configure()
    logs.get_logger("x").info("race_opened", race=1)
    assert "race_opened" in stream.getvalue()
    assert "race=1" in stream.getvalue()
    assert "\x1b" not in stream.getvalue(), "no colours where nobody sees them"
