"""Chance as the contract fixes it: vectors, arrangement, and draws from a log."""

import json
from collections import Counter
from hashlib import shake_256
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.chance import (
    RecordedChance,
    SeededChance,
    commitment,
    derive_key,
    nonce_hash,
    salt,
    shuffle,
    without,
)

VECTORS = Path(__file__).parents[2] / "vectors"
CASES: list[dict[str, Any]] = json.loads((VECTORS / "chance.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['label']}-{case['nonces'][0]}")
def test_draws_are_those_of_the_published_vectors(case: dict[str, Any]) -> None:
    """Contract, Chance"""
    seed = bytes.fromhex(case["seed"])
    assert commitment(seed) == case["commitment"]
    key = derive_key(seed, case["nonces"])
    assert key.hex() == case["key"]
    assert shuffle(key, case["label"], case["items"]) == case["drawn"]


def test_a_label_draws_from_a_stream_of_its_own() -> None:
    """Contract, Chance: 8-byte words of SHAKE-256(key, 0x00, label), last index first."""
    key, items = bytes(32), list(range(50))
    stream = shake_256(key + b"\x00race-1/d\xc3\xa9ck").digest(8 * 200)
    words = iter(int.from_bytes(stream[i : i + 8], "big") for i in range(0, len(stream), 8))
    expected = list(items)
    for i in range(len(items) - 1, 0, -1):
        word = next(words)
        while word >= 2**64 // (i + 1) * (i + 1):
            word = next(words)
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert shuffle(key, "race-1/déck", items) == expected


def test_words_that_would_favour_some_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contract, Chance: with three items the last word of all is out of bounds."""
    high, low = (2**64 - 1).to_bytes(8, "big"), (1).to_bytes(8, "big")

    class Stream:
        """A stream that begins with words to skip, longer than was asked for at first."""

        def __init__(self, _: bytes) -> None:
            self.words = high * 5 + low + low

        def digest(self, size: int) -> bytes:
            return (self.words + bytes(size))[:size]

    monkeypatch.setattr("domain.kernel.chance.shake_256", Stream)
    # j = 1 mod 3 = 1 for i = 2; then for i = 1 every word fits: j = 1
    assert shuffle(b"", "any", ["a", "b", "c"]) == ["a", "c", "b"]


@pytest.mark.parametrize("items", [[], ["only"]])
def test_what_is_too_short_to_shuffle_stays(items: list[str]) -> None:
    """Contract, Chance"""
    assert shuffle(bytes(32), "any", items) == items


def test_every_order_comes_up() -> None:
    """Contract, Chance"""
    seen = Counter(tuple(shuffle(bytes(32), f"label-{n}", [1, 2, 3])) for n in range(600))
    assert len(seen) == 6
    assert min(seen.values()) > 60


def test_salts_and_hashes_of_nonces_are_as_published() -> None:
    """Contract, Log and Chance"""
    seed = bytes(range(32))
    assert salt(seed, 5) == shake_256(seed + b"\x00salt/5").hexdigest(16)
    assert len(salt(seed, 12345)) == 32
    assert nonce_hash("lucky 7") != nonce_hash("lucky 8")
    assert nonce_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    ("items", "taken", "left"),
    [
        ("abca", "a", list("bca")),
        ("abca", "ca", list("ba")),
        ("abca", "aaa", None),
        ("abca", "x", None),
        ("abca", "", list("abca")),
    ],
)
def test_items_are_taken_from_the_front(items: str, taken: str, left: list[str] | None) -> None:
    """Contract, Chance"""
    assert without(items, taken) == left


def test_arranged_items_come_first_and_a_list_that_does_not_fit_is_dropped_whole() -> None:
    """Contract, Chance"""
    key = bytes(32)
    natural = shuffle(key, "deck", list("abcde"))
    chance = SeededChance(key, {"deck": ["c", "a"], "other": ["a", "x"], "empty": []})
    assert chance.draw("deck", list("abcde")) == ["c", "a", *(x for x in natural if x not in "ca")]
    assert chance.dropped() == []
    assert chance.draw("other", list("abcde")) == shuffle(key, "other", list("abcde"))
    assert chance.dropped() == ["other"]
    assert chance.dropped() == []
    assert chance.draw("empty", list("abcde")) == shuffle(key, "empty", list("abcde"))
    assert chance.dropped() == []


def test_the_same_label_draws_the_same_again() -> None:
    """Contract, Chance"""
    chance = SeededChance(bytes(32))
    assert chance.draw("deck", list("abc")) is chance.draw("deck", [])


def test_recorded_pieces_come_first_and_the_rest_in_list_order() -> None:
    """Contract, Log"""
    chance = RecordedChance({"deck": ["c", "a"]}, ["deck"])
    assert chance.draw("deck", list("abcde")) == list("cabde")
    assert chance.dropped() == ["deck"]
    assert chance.draw("deck", list("abcde")) == list("cabde")
    assert chance.dropped() == []
    assert chance.draw("unknown", list("ab")) == list("ab")


def test_a_recorded_item_that_was_not_there_is_told() -> None:
    """Contract, Log"""
    with pytest.raises(ValueError, match="deck"):
        RecordedChance({"deck": ["x"]}).draw("deck", list("abc"))
