"""Chance as the public contract fixes it: a draw is a function of key and label alone.

No draw shifts another, so an extra shuffle in race 2 leaves race 3 as it was, and anybody who has
the seed and the nonces can compute every draw again (vectors: openapi/examples/vectors).
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256, shake_256
from typing import Any, Protocol

SEED_BYTES = 32
_WORDS = 2**64


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed in lower-case hex: what `meeting_opened` publishes."""
    return sha256(seed).hexdigest()


def nonce_hash(nonce: str) -> str:
    """SHA-256 of a seat's nonce in lower-case hex: what `seat_taken` publishes."""
    return sha256(nonce.encode()).hexdigest()


def derive_key(seed: bytes, nonces: Sequence[str]) -> bytes:
    """The key of all draws, from the seed and the nonces in seat order ("" where none)."""
    return sha256(seed + b"|" + "|".join(nonces).encode()).digest()


def salt(seed: bytes, seq: int) -> str:
    """16 bytes in hex that keep a line with private content from being guessed by its hash."""
    return shake_256(seed + b"\x00salt/" + str(seq).encode()).hexdigest(16)


def shuffle(key: bytes, label: str, items: Sequence[Any]) -> list[Any]:
    """The items in the order drawn: Fisher-Yates from the last index down, without modulo bias."""
    drawn = list(items)
    source = shake_256(key + b"\x00" + label.encode())
    words_read = len(drawn)
    stream = source.digest(8 * words_read)
    at = 0
    for i in range(len(drawn) - 1, 0, -1):
        bound = _WORDS // (i + 1) * (i + 1)
        while True:
            if at == len(stream):  # a word was skipped: read on in the same stream
                words_read *= 2
                stream = source.digest(8 * words_read)
            word = int.from_bytes(stream[at : at + 8], "big")
            at += 8
            if word < bound:
                break
        j = word % (i + 1)
        drawn[i], drawn[j] = drawn[j], drawn[i]
    return drawn


def without(items: Sequence[Any], taken: Sequence[Any]) -> list[Any] | None:
    """The items left in their order when `taken` is removed; None where one is not there."""
    left = list(items)
    for item in taken:
        if item not in left:
            return None
        left.remove(item)
    return left


class Chance(Protocol):
    """What a decider draws from."""

    def draw(self, label: str, items: Sequence[Any]) -> list[Any]:
        """The whole order of the items under this label; the same label, the same order."""
        ...

    def dropped(self) -> list[str]:
        """Labels whose arrangement did not fit since this was last asked (then forgotten)."""
        ...


class SeededChance:
    """Draws from a key, with arranged first items where the host fixed some."""

    def __init__(self, key: bytes, arranged: Mapping[str, Sequence[Any]] | None = None) -> None:
        self._key = key
        self._arranged = arranged or {}
        self._drawn: dict[str, list[Any]] = {}
        self._dropped: list[str] = []

    def draw(self, label: str, items: Sequence[Any]) -> list[Any]:
        """See Chance. An arranged list that does not fit the items is dropped whole."""
        known = self._drawn.get(label)
        if known is not None:
            return known
        drawn = shuffle(self._key, label, items)
        first = self._arranged.get(label)
        if first:
            rest = without(drawn, first)
            if rest is None:
                self._dropped.append(label)
            else:
                drawn = [*first, *rest]
        self._drawn[label] = drawn
        return drawn

    def dropped(self) -> list[str]:
        """See Chance."""
        labels, self._dropped = self._dropped, []
        return labels


class RecordedChance:
    """Draws as a log recorded them: its pieces in order, then what they leave in list order.

    Deciding anew from it shows whether the log follows the rules, whatever chance said.
    """

    def __init__(self, pieces: Mapping[str, Sequence[Any]], dropped: Sequence[str] = ()) -> None:
        self._pieces = pieces
        self._fits_not = set(dropped)
        self._dropped: list[str] = []

    def draw(self, label: str, items: Sequence[Any]) -> list[Any]:
        """See Chance.

        Raises:
            ValueError: the log records an item that is not among those to draw from.
        """
        piece = self._pieces.get(label, ())
        rest = without(items, piece)
        if rest is None:
            raise ValueError(f"{label}: recorded items are not among those to draw from")
        if label in self._fits_not:
            self._fits_not.discard(label)
            self._dropped.append(label)
        return [*piece, *rest]

    def dropped(self) -> list[str]:
        """See Chance."""
        labels, self._dropped = self._dropped, []
        return labels
