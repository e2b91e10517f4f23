"""Writes openapi/examples/vectors with the domain: `python -m tests.kit.vectors` (`make vectors`).

What stands there is for people who write a client or a verifier in any language; that it is right
is held by a second implementation (tests/domain/kernel/test_vectors.py).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from domain.kernel import chance, lines

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "openapi" / "examples" / "vectors"
PUBLISHED = ROOT / "tests" / "vectors"
"""Vectors that were published first; they stay what they are."""

SEED = bytes(range(32))
OTHER_SEED = bytes.fromhex("ff" * 31 + "00")
COLOURS = ("red", "blue", "green", "yellow")
CARDS = [f"{colour}-{number}" for colour in COLOURS for number in range(1, 11) for _ in range(2)]
PRINTABLE = "".join(map(chr, range(0x20, 0x7F))).replace("|", "")

Json = Any


def written() -> dict[str, bytes]:
    """Every file of vectors, by name."""
    forms: dict[str, Json] = {
        "chance.json": list(_chance()),
        "words.json": list(_words()),
        "nonces.json": list(_nonces()),
        "salts.json": list(_salts()),
        "arranged.json": list(_arranged()),
        "canonical.json": list(_canonical()),
        "chain.json": list(_chain()),
        "faults.json": list(_faults()),
    }
    files = {name: as_file(form) for name, form in forms.items()}
    return files | {"log.ndjson": (PUBLISHED / "log.ndjson").read_bytes()}


def as_file(cases: Sequence[Json]) -> bytes:
    """Cases as a file in ASCII: one on each line."""
    rows = ",\n".join(json.dumps(case) for case in cases)
    return f"[\n{rows}\n]\n".encode()


def _chance() -> Iterator[Json]:
    yield from json.loads((PUBLISHED / "chance.json").read_text())
    nine = ["", "a", "", "b", " ", "~", "", "", "z" * 64]
    cases: list[tuple[bytes, Sequence[str], str, Sequence[Json]]] = [
        (SEED, ["", ""], "empty", []),
        (SEED, ["", ""], "one", ["only"]),
        (SEED, ["", ""], "two", ["a", "b"]),
        (SEED, ["", ""], "a label – with é and 😀", list(range(12))),
        (SEED, [PRINTABLE[:60], PRINTABLE[60:]], "race-1/deck", CARDS),
        (SEED, ["", "lucky 7"], "race-1/deck", CARDS),
        (SEED, ["lucky 7", ""], "race-1/deck", CARDS),
        (OTHER_SEED, nine, "race-36/deck", CARDS),
        (OTHER_SEED, nine, "race-36/deck-2", CARDS),
        (OTHER_SEED, nine, "long", list(range(300))),
    ]
    for seed, nonces, label, items in cases:
        key = chance.derive_key(seed, nonces)
        yield {
            "seed": seed.hex(),
            "commitment": chance.commitment(seed),
            "nonces": list(nonces),
            "key": key.hex(),
            "label": label,
            "items": list(items),
            "drawn": chance.shuffle(key, label, items),
        }


def _words() -> Iterator[Json]:
    top = 2**64 - 1
    cases: list[tuple[Sequence[int], Sequence[str]]] = [
        ([0, 0], "abc"),
        ([1, 1], "abc"),
        ([top - 1, 0], "abc"),
        ([top, 1, 1], "abc"),
        ([top, top, top, 2, top], "abc"),
        ([top - 15, top, 3, top - 1, 5, top, 4, 0], "abcdef"),
    ]
    for words, items in cases:
        with patch("domain.kernel.chance.shake_256", lambda _, words=words: _Stream(words)):
            drawn = chance.shuffle(b"", "", list(items))
        yield {
            "words": [f"{word:016x}" for word in words],
            "items": list(items),
            "drawn": drawn,
        }


class _Stream:
    """A stream of given words, in the place of SHAKE-256."""

    def __init__(self, words: Sequence[int]) -> None:
        self._bytes = b"".join(word.to_bytes(8, "big") for word in words)

    def digest(self, size: int) -> bytes:
        """The first bytes of it; what is beyond the given words is never used."""
        return self._bytes[:size].ljust(size, b"\x00")


def _nonces() -> Iterator[Json]:
    for nonce in ("", "lucky 7", " ", "~", "a" * 64, PRINTABLE[:64]):
        yield {"nonce": nonce, "nonce_hash": chance.nonce_hash(nonce)}


def _salts() -> Iterator[Json]:
    for seed in (SEED, OTHER_SEED):
        for seq in (1, 2, 9, 10, 99, 1000, 65536, 2**53 - 1):
            yield {"seed": seed.hex(), "seq": seq, "salt": chance.salt(seed, seq)}


def _arranged() -> Iterator[Json]:
    deck = ["red-1", "red-1", "red-2", "blue-1", "blue-2", "green-1"]
    cases: list[tuple[str, Mapping[str, Sequence[Json]]]] = [
        ("nothing is arranged", {}),
        ("the first item", {"race-1/deck": ["green-1"]}),
        ("several first items, in the order told", {"race-1/deck": ["blue-2", "red-2", "blue-1"]}),
        ("the whole list", {"race-1/deck": deck[::-1]}),
        ("both copies of one card", {"race-1/deck": ["red-1", "red-1"]}),
        ("an empty list arranges nothing", {"race-1/deck": []}),
        ("one copy too many: dropped whole", {"race-1/deck": ["green-1", "red-2", "red-2"]}),
        ("a card that is not there: dropped whole", {"race-1/deck": ["joker", "red-1"]}),
        ("another draw alone", {"dealer": [2]}),
        ("two draws, one dropped", {"dealer": [3, 1], "race-1/deck": ["red-3"]}),
    ]
    for seed, nonces in ((SEED, ["", "", ""]), (OTHER_SEED, ["a", "", "b"])):
        for what, arranged in cases:
            key = chance.derive_key(seed, nonces)
            source = chance.SeededChance(key, arranged)
            asked: list[tuple[str, Sequence[Json]]] = [("dealer", [1, 2, 3]), ("race-1/deck", deck)]
            yield {
                "what": what,
                "seed": seed.hex(),
                "nonces": nonces,
                "arranged": arranged,
                "draws": [
                    {"label": label, "items": items, "drawn": source.draw(label, items)}
                    for label, items in asked
                ],
                "dropped": source.dropped(),
            }


NAMES = (
    "Zoé",
    "Zoe\u0301",
    "Αθηνά",
    "日本語",
    "😀",
    "\U0010fffd",
    '"quoted" \\ /',
    "\u2028\u2029",
    "<b>&amp;</b>",
    "\u007f\u0080\ufeff",
    "\b\f\n\r\t\u0000\u000b\u001f",
)


def _events() -> Iterator[Json]:
    """Made-up events, each with something that a writer of canonical JSON may get wrong."""
    for name in NAMES:
        yield {"type": "seat_taken", "seq": 2, "name": name}
    yield {"odds": {"red": 0.1, "blue": 2.5, "green": 3, "yellow": 99.9}}
    yield {"tenths": [t // 10 if t % 10 == 0 else t / 10 for t in range(1001)]}
    yield {"whole": [0, -1, 10, 100, 1_000_000, 2**53 - 1, -(2**53) + 1]}
    yield {"b": None, "a": True, "C": False, "_": [], "10": {}, "9": "", "aa": [[], [{}]]}
    yield {"aB": 1, "ab": 2, "a1": 3, "a_": 4, "A": 5, "a": 6}
    yield {"private": {"server": {"salt": "00"}, "2": {"hand": []}, "10": {"hand": ["red-7"]}}}
    yield {}


def _canonical() -> Iterator[Json]:
    for event in _events():
        body = lines.canonical(event)
        yield {"event": event, "canonical": body.decode()}


def _chain() -> Iterator[Json]:
    previous = lines.GENESIS
    for event in _events():
        body = lines.canonical(event)
        digest = lines.chain(previous, body)
        line = lines.join(body, digest).decode() if event else None
        yield {"previous": previous, "canonical": body.decode(), "hash": digest, "line": line}
        previous = digest


def _faults() -> Iterator[Json]:
    good = '{"name":"Zoé","odds":2.5,"seq":1}'

    def told(what: str, body: str, hashed: str | None = None, tail: str | None = None) -> Json:
        digest = lines.chain(lines.GENESIS, (hashed or body).encode())
        end = tail if tail is not None else f',"hash":"{digest}"}}'
        return {"what": what, "line": f"{body[:-1]}{end}"}

    digest = lines.chain(lines.GENESIS, good.encode())
    yield told("a name was changed, the hash is the old one", good.replace("Zoé", "Zoe"), good)
    yield told("a space after a comma", good.replace(",", ", "))
    yield told("keys in another order", '{"odds":2.5,"name":"Zoé","seq":1}')
    yield told("an escape that isn't needed", good.replace("é", "\\u00e9"))
    yield told("a slash escaped", good.replace("Zoé", "a\\/b"))
    yield told("a whole number with a fraction", good.replace("2.5", "2.0"))
    yield told("a number with a zero too many", good.replace("2.5", "2.50"))
    yield told("a number with an exponent", good.replace("2.5", "25e-1"))
    yield told("a key twice", good.replace('"seq":1', '"seq":1,"seq":1'))
    yield told("the hash in capitals", good, tail=f',"hash":"{digest.upper()}"}}')
    yield told("the hash is too short", good, tail=f',"hash":"{digest[:63]}"}}')
    yield told("the hash is not the last field", good, tail=f',"hash":"{digest}","z":1}}')
    yield told("no hash", good, tail="}")
    yield told("a space at the end", good, tail=f',"hash":"{digest}"}} ')


def main() -> None:
    """Write them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in written().items():
        (FOLDER / name).write_bytes(text)


if __name__ == "__main__":
    main()
