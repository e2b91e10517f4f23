"""The published vectors, by the domain and by a second implementation from the contract alone."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from domain.kernel import chance, lines
from tests.kit import vectors

FOLDER = Path(__file__).parents[3] / "openapi" / "examples" / "vectors"
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.suffix == ".json")
Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    """The cases of a file."""
    found: list[Case] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


# ------------------------------------------------- a second implementation, from the contract


def key_of(seed: bytes, nonces: Sequence[str]) -> bytes:
    """SHA-256(seed, "|", the nonces joined by "|")."""
    return hashlib.sha256(b"|".join([seed, *(nonce.encode() for nonce in nonces)])).digest()


def words_of(key: bytes, label: str) -> Iterator[int]:
    """8-byte words of SHAKE-256(key, 0x00, label), one after the other, without end."""
    told = hashlib.shake_256(b"".join((key, b"\0", label.encode("utf-8"))))
    at = 0
    while True:
        at += 8
        yield int(told.hexdigest(at)[-16:], 16)


def ordered(words: Iterator[int], items: Sequence[Any]) -> list[Any]:
    """Fisher-Yates from the last index down; words that would favour some are skipped."""
    left = list(items)
    for last in reversed(range(1, len(left))):
        sides = last + 1
        fair = 2**64 - 2**64 % sides
        chosen = next(word for word in words if word < fair) % sides
        left[last], left[chosen] = left[chosen], left[last]
    return left


def arranged_first(drawn: Sequence[Any], first: Sequence[Any]) -> tuple[list[Any], bool]:
    """The draw with these items first; and whether they were dropped because they don't fit."""
    if any(list(first).count(item) > list(drawn).count(item) for item in first):
        return list(drawn), True
    rest, owed = [], list(first)
    for item in drawn:
        if item in owed:
            owed.remove(item)
        else:
            rest.append(item)
    return [*first, *rest], False


SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def canonical(value: Any) -> str:
    """RFC 8785 for what a log can hold."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        tenths = round(value * 10)
        assert tenths / 10 == value, "odds have one decimal"
        assert tenths % 10, "whole odds are integers"
        sign = "-" if tenths < 0 else ""
        return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10}"
    if isinstance(value, str):
        parts = (SHORT.get(ord(c)) or (f"\\u{ord(c):04x}" if ord(c) < 32 else c) for c in value)
        return '"' + "".join(parts) + '"'
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    assert isinstance(value, dict)
    assert all(name.isascii() for name in value)
    return "{" + ",".join(f"{canonical(n)}:{canonical(value[n])}" for n in sorted(value)) + "}"


LINE = re.compile(r'(\{.+),"hash":"([0-9a-f]{64})"\}', re.DOTALL)


def refused(line: str, previous: str) -> bool:
    """Whether a line can't follow a line of this hash."""
    found = LINE.fullmatch(line)
    if found is None:
        return True
    body = found[1] + "}"
    if hashlib.sha256((previous + body).encode()).hexdigest() != found[2]:
        return True
    try:
        return canonical(json.loads(body, parse_float=as_written)) != body
    except (AssertionError, ValueError):
        return True


def as_written(text: str) -> float:
    """A number with a fraction, as a log may write it."""
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)\.[1-9]", text):
        raise ValueError(text)
    return float(text)


# ------------------------------------------------------------------------------ both hold


def test_each_draw_is_that_of_both() -> None:
    """Contract, Chance"""
    for case in cases("chance.json"):
        seed = bytes.fromhex(case["seed"])
        assert hashlib.sha256(seed).hexdigest() == case["commitment"]
        key = key_of(seed, case["nonces"])
        assert key.hex() == case["key"]
        assert ordered(words_of(key, case["label"]), case["items"]) == case["drawn"]
        assert chance.commitment(seed) == case["commitment"]
        assert chance.derive_key(seed, case["nonces"]) == key
        assert chance.shuffle(key, case["label"], case["items"]) == case["drawn"]


def test_words_are_skipped_by_both() -> None:
    """Contract, Chance: the domain wrote them, which is held below."""
    skipped = 0
    for case in cases("words.json"):
        words = [int(word, 16) for word in case["words"]]
        unread = iter(words)
        assert ordered(unread, case["items"]) == case["drawn"]
        skipped += len(words) - len(list(unread)) - (len(case["items"]) - 1)
    assert skipped == 5


def test_hashes_of_nonces_and_salts_are_those_of_both() -> None:
    """Contract, Chance and Log"""
    for case in cases("nonces.json"):
        assert hashlib.sha256(case["nonce"].encode()).hexdigest() == case["nonce_hash"]
        assert chance.nonce_hash(case["nonce"]) == case["nonce_hash"]
    for case in cases("salts.json"):
        data = bytes.fromhex(case["seed"]) + b"\0salt/%d" % case["seq"]
        assert hashlib.shake_256(data).digest(16).hex() == case["salt"]
        assert chance.salt(bytes.fromhex(case["seed"]), case["seq"]) == case["salt"]


def test_arranged_draws_are_those_of_both() -> None:
    """Contract, Chance: arranged items first, the rest as drawn; what doesn't fit is dropped."""
    for case in cases("arranged.json"):
        key = key_of(bytes.fromhex(case["seed"]), case["nonces"])
        source = chance.SeededChance(key, case["arranged"])
        dropped = []
        for draw in case["draws"]:
            plain = ordered(words_of(key, draw["label"]), draw["items"])
            found, fits_not = arranged_first(plain, case["arranged"].get(draw["label"], []))
            assert found == draw["drawn"] == source.draw(draw["label"], draw["items"])
            dropped += [draw["label"]] if fits_not else []
        assert dropped == case["dropped"] == source.dropped()
    assert {bool(case["dropped"]) for case in cases("arranged.json")} == {True, False}


def test_canonical_forms_are_those_of_both() -> None:
    """Contract, Log: and those of a library that knows all of RFC 8785."""
    for case in cases("canonical.json"):
        assert canonical(case["event"]) == case["canonical"]
        assert lines.canonical(case["event"]).decode() == case["canonical"]
        assert rfc8785.dumps(case["event"]).decode() == case["canonical"]


def test_the_hash_chain_is_that_of_both() -> None:
    """Contract, Log"""
    previous = "0" * 64
    for case in cases("chain.json"):
        assert case["previous"] == previous
        told = (previous + case["canonical"]).encode("utf-8")
        assert hashlib.sha256(told).hexdigest() == case["hash"]
        assert lines.chain(previous, case["canonical"].encode()) == case["hash"]
        if case["line"] is not None:
            assert not refused(case["line"], previous)
            assert lines.split(case["line"].encode()) == (case["canonical"].encode(), case["hash"])
        previous = case["hash"]


def refused_by_the_domain(line: str, previous: str) -> bool:
    """Whether the domain finds a line at fault."""
    try:
        body, told = lines.split(line.encode())
    except ValueError:
        return True
    return lines.chain(previous, body) != told or rfc8785.dumps(json.loads(body)) != body


@pytest.mark.parametrize("refuses", [refused, refused_by_the_domain])
def test_faults_are_found_by_both(refuses: Callable[[str, str], bool]) -> None:
    """Contract, Log: a verifier hashes bytes as they stand; any other form is a fault."""
    for case in cases("faults.json"):
        assert refuses(case["line"], "0" * 64), case["what"]


def test_the_made_up_log_is_in_order_for_the_second_implementation() -> None:
    """Contract, Log"""
    previous, events = "0" * 64, []
    for line in (FOLDER / "log.ndjson").read_text(encoding="utf-8").split("\n")[:-1]:
        assert not refused(line, previous)
        events.append(json.loads(line))
        previous = events[-1]["hash"]
    seed = bytes.fromhex(events[-1]["seed"])
    assert hashlib.sha256(seed).hexdigest() == events[0]["commitment"]
    salts: Mapping[int, str] = {
        event["seq"]: event["private"]["server"]["salt"] for event in events if "private" in event
    }
    for seq, salt in salts.items():
        assert hashlib.shake_256(seed + b"\0salt/%d" % seq).hexdigest(16) == salt
    assert len(salts) == 2


# --------------------------------------------------------------------------------- files


def test_writing_them_again_gives_the_same_bytes() -> None:
    """`make vectors`; the domain computes every one of them."""
    written = vectors.written()
    assert set(written) | {"README.md"} == {path.name for path in FOLDER.iterdir()}
    for name, text in written.items():
        assert (FOLDER / name).read_bytes() == text, name


def test_those_published_first_are_among_them() -> None:
    """tests/vectors"""
    published = vectors.PUBLISHED
    first = json.loads((published / "chance.json").read_text())
    assert first
    assert all(case in cases("chance.json") for case in first)
    assert (FOLDER / "log.ndjson").read_bytes() == (published / "log.ndjson").read_bytes()


def test_the_page_beside_them_names_every_file_and_field() -> None:
    """README.md of the folder."""
    told = (FOLDER / "README.md").read_text()
    for name in NAMES:
        row = next(line for line in told.splitlines() if line.startswith(f"| `{name}`"))
        assert {field for case in cases(name) for field in case} == set(
            re.findall(r"`(\w+)`", row.split("|")[2])
        )
    code = re.search(r"```python\n(.*?)```", told, re.DOTALL)
    assert code is not None
    program = code[1].replace('"salts.json"', repr(str(FOLDER / "salts.json")))
    subprocess.run([sys.executable, "-c", program], check=True)
