"""The guides: everything they show is done against a real server, and comes out as they say."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from domain.registry import GAMES
from service.http.docs import links
from service.http.problems import ProblemCode, table
from tests.kit.guides import Block, Reader, blocks, commands, parts_of


@pytest.fixture
def reader(address: str, data: Path, tmp_path: Path) -> Iterator[Reader]:
    """Somebody who does what a guide says, in the server's folder."""
    (tmp_path / "data").symlink_to(data)
    made = Reader(tmp_path, address)
    yield made
    made.close()


@pytest.mark.parametrize("name", links.GUIDES)
def test_what_a_guide_shows_is_what_happens(reader: Reader, name: str) -> None:
    done = reader.read(links.read(links.guide_file(name)))
    assert sum(done.values()) >= 2


def test_every_guide_of_the_tree_has_a_page() -> None:
    folder = Path(links.__file__).parent / "guides"
    assert {path.stem for path in folder.glob("*.md")} == set(links.GUIDES)


# ------------------------------------------------------------------ which refusals are waited for

PROBLEM = "application/problem+json"


def patience(answers: list[httpx.Response]) -> tuple[httpx.Response | None, list[float]]:
    """What the function of the guide returns (None: it gave up), and its pauses."""
    guide = links.read(links.guide_file("decisions-and-retries"))
    (text,) = [block.text for block in blocks(guide) if block.name == "patient.py"]
    known: dict[str, Any] = {}
    exec(text.partition("\nme = ")[0], known)
    pauses: list[float] = []
    keys = set()

    def answer(request: httpx.Request) -> httpx.Response:
        keys.add(request.headers["Idempotency-Key"])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    known["api"] = httpx.Client(base_url="http://t/v1", transport=httpx.MockTransport(answer))
    known["time"] = SimpleNamespace(sleep=pauses.append)
    try:
        found = known["patient_post"]("/meetings", {})
    except TimeoutError:
        found = None
    assert len(keys) == 1
    return found, pauses


def refusal(kind: ProblemCode) -> httpx.Response:
    """A refusal as the server sends it."""
    headers = {"Content-Type": PROBLEM}
    if kind.status in (429, 503):
        headers["Retry-After"] = "7"
    return httpx.Response(kind.status, headers=headers, json={"code": kind.code})


def test_the_patient_function_waits_for_what_waiting_heals_and_for_nothing_else() -> None:
    done = httpx.Response(201, json={})
    waited = set()
    for kind in table(tuple(GAMES)).values():
        found, pauses = patience([refusal(kind), done])
        assert found is not None
        if found is done:
            waited.add(kind.code)
            assert pauses == [7]
        else:
            assert (found.status_code, pauses) == (kind.status, [])
    passing = {kind.code for kind in table(tuple(GAMES)).values() if kind.status in (429, 503)}
    assert waited == passing - {"log_diverged"}


def test_the_guide_on_errors_tells_of_each_refusal_by_which_the_server_asks_to_wait() -> None:
    told = links.read(links.guide_file("errors"))
    rows = re.findall(r"^\| (429|503) \| `(\w+)` \| (.*) \|$", told, re.MULTILINE)
    kinds = {k.code: k.status for k in table(tuple(GAMES)).values() if k.status in (429, 503)}
    assert {code: int(status) for status, code, _ in rows} == kinds
    assert [code for _, code, what in rows if "Don't try again" in what] == ["log_diverged"]


def test_the_patient_function_gives_up_after_so_many_tries() -> None:
    kind = table(tuple(GAMES))["log_unavailable"]
    assert patience([refusal(kind)]) == (None, [7] * 8)
    found, pauses = patience([httpx.Response(502, text="a proxy's page")])
    assert found is None
    assert pauses == sorted(pauses)
    assert len(pauses) == 8


# ------------------------------------------------------------------ the reader can fail


def wrong(reader: Reader, guide: str, words: str) -> None:
    """A guide that says what isn't so."""
    with pytest.raises(AssertionError, match=words):
        reader.read(guide)


CREATE = '```http\nPOST /v1/players\nContent-Type: application/json\n\n{"name": "Ada"}\n```\n'


def test_an_answer_that_is_not_as_shown_is_found(reader: Reader) -> None:
    shown = '{{"name": "{}", {}}}'
    rest = '"…": "…"'
    for status, body, words in (
        ("201 Created", shown.format("Eve", rest), "/name is 'Ada'"),
        ("200 OK", shown.format("Ada", rest), "HTTP/1.1 200 OK"),
        ("201 Created", '{"name": "Ada"}', "has .*'token'"),
        ("201 Created", shown.format("Ada", f'"kind": "human", {rest}'), "has .*'token'"),
    ):
        wrong(reader, f"{CREATE}```http\nHTTP/1.1 {status}\n\n{body}\n```\n", words)


def test_output_that_is_not_as_shown_is_found(reader: Reader) -> None:
    wrong(reader, "```console\n$ echo one\ntwo\n```\n", r"it should print\s+two")
    wrong(reader, "```console\n$ echo one && exit 3\none\n```\n", "exit 3")
    wrong(reader, "```console\n$ echo one two\n<a> <a>\n```\n", "it should print")
    reader.read("```console\n$ echo one; echo two; echo three\none\n…\nthree\n```\n")
    reader.read("```console\n$ echo a-a\n<same>-<same>\n$ echo <same>\na\n```\n")


def test_what_is_shown_and_not_run_is_found(reader: Reader) -> None:
    wrong(reader, "```python left.py\nprint(1)\n```\n", "never run: {'left.py'}")
    wrong(reader, "```python\nprint(1)\n```\n", "no file's name")
    wrong(reader, "```json\n{}\n```\n", "what is a block of 'json'")
    wrong(reader, "    indented\n", "what is a block of ''")
    wrong(reader, f"{CREATE}{CREATE}", "no answer stands behind the call")


def test_blocks_are_taken_apart() -> None:
    (block,) = blocks("text\n\n```console\n$ a\nb\n$ c\n```\n")
    assert block == Block("console", "", "$ a\nb\n$ c\n", 3)
    assert list(commands(block)) == [("a", "b"), ("c", "")]
    assert parts_of("GET /\nA: b\n\n{}\n") == ("GET /", {"A": "b"}, "{}\n")
    assert parts_of("GET /\n") == ("GET /", {}, None)
