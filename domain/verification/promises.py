"""Chance as it was promised: commitment, seed, nonces, salts. The same in every game."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from domain.kernel.chance import SeededChance, commitment, derive_key, nonce_hash, salt
from domain.kernel.message import SERVER, type_of
from domain.racing.events import MeetingStarted, SeatLeft, SeatTaken
from domain.verification.form import Fields
from domain.verification.report import Report

SEED = re.compile(r"[0-9a-f]{64}")
NONCE = re.compile(r"[\x20-\x7b\x7d\x7e]{1,64}")
TAKEN, LEFT, STARTED = type_of(SeatTaken), type_of(SeatLeft), type_of(MeetingStarted)


def check_promises(events: Sequence[Fields], report: Report) -> SeededChance | None:
    """Hold the log against its commitments; the chance of its draws, where play began.

    Needs a complete log of which `form` found nothing wrong.
    """
    first, last = events[0], events[-1]
    server = first["private"][SERVER]
    seed = server.get("seed")
    if not isinstance(seed, str) or not SEED.fullmatch(seed):
        report.add(1, "private.server.seed is no seed of 32 bytes in hex")
        return None
    seed_bytes = bytes.fromhex(seed)
    if first.get("commitment") != commitment(seed_bytes):
        report.add(1, "the commitment is not the SHA-256 of the seed")
    if last.get("seed") != seed:
        report.add(last["seq"], "the seed revealed is not the one of the first line")
    arranged = server.get("arranged", {})
    if not is_draws(arranged):
        report.add(1, "private.server.arranged is no map of lists")
        return None
    if arranged and first.get("arranged") is not True:
        report.add(1, "draws are arranged, and the meeting is not marked as arranged")
    report.facts.arranged = bool(first.get("arranged"))
    check_salts(events, seed_bytes, report)
    nonces = check_nonces(events, report)
    if nonces is None:
        return None
    return SeededChance(derive_key(seed_bytes, nonces), arranged)


def is_draws(value: Any) -> bool:
    """Whether this maps labels to lists."""
    return isinstance(value, dict) and all(isinstance(items, list) for items in value.values())


def check_salts(events: Sequence[Fields], seed: bytes, report: Report) -> None:
    """Every line with private content has the salt that the seed gives it."""
    for event in events:
        private = event.get("private")
        if private is not None:
            found = private.get(SERVER, {}).get("salt")
            if found != salt(seed, event["seq"]):
                report.add(event["seq"], "private.server.salt is not the one of seed and seq")


def check_nonces(events: Sequence[Fields], report: Report) -> list[str] | None:
    """The nonces that the key is made of, in seat order; None if play never began.

    Each was promised by its hash when its seat was taken, and is shown when play begins.
    """
    given: dict[int, tuple[int, str]] = {}  # seat -> (number of the line, nonce)
    for event in events:
        seat = event.get("seat")
        if event["type"] == TAKEN and isinstance(seat, int):
            given.pop(seat, None)
            nonce = nonce_of(event, seat, report)
            if nonce is not None:
                given[seat] = (event["seq"], nonce)
        elif event["type"] == LEFT and isinstance(seat, int):
            given.pop(seat, None)
        elif event["type"] == STARTED:
            nonces = event.get("nonces")
            if not isinstance(nonces, list) or not all(isinstance(n, str) for n in nonces):
                report.add(event["seq"], "`nonces` is no list of texts")
                return None
            promised = [given.get(i, (0, ""))[1] for i in range(1, len(nonces) + 1)]
            if nonces != promised or any(seat > len(nonces) for seat in given):
                report.add(event["seq"], "the nonces shown are not those that the seats gave")
            report.facts.last_nonce_seat = max(given, key=given.__getitem__) if given else None
            return nonces
    return None


def nonce_of(event: Mapping[str, Any], seat: int, report: Report) -> str | None:
    """The nonce that a seat gave when it was taken, held against its hash."""
    nonce = event.get("private", {}).get(str(seat), {}).get("nonce")
    promised = event.get("nonce_hash")
    if nonce is None:
        if promised is not None:
            report.add(event["seq"], "a nonce is promised by its hash and not given")
        return None
    if not isinstance(nonce, str) or not NONCE.fullmatch(nonce):
        report.add(event["seq"], "the nonce is not 1 to 64 of the characters that a nonce may have")
        return None
    if promised != nonce_hash(nonce):
        report.add(event["seq"], "nonce_hash is not the SHA-256 of the nonce")
    return nonce
