"""`homestretch replay`: what a log file shows, to all eyes and to those of one seat."""

from pathlib import Path

import pytest

from service.cli import main
from tests.kit.forging import rechained
from tests.kit.recorded import RECORDED, recorded_fields, recorded_lines

NAME = "joker__won_by_a_joker_from_a_hand"
FILE = str(RECORDED.folder / f"{NAME}.ndjson")


def shown(capsys: pytest.CaptureFixture[str], *words: str, file: str = FILE) -> str:
    """What is printed."""
    assert main(["replay", file, *words]) == 0
    return capsys.readouterr().out


def test_every_event_is_a_line_with_its_number_and_the_last_board_follows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Secrets too: the file has them."""
    told = shown(capsys)
    lines = told.splitlines()
    events = recorded_fields(NAME)
    for event, line in zip(events, lines, strict=False):
        assert line.split()[0] == str(event["seq"])
        assert event["type"].rpartition(".")[2] in line
    assert "seat 1 knows hand" in told
    assert "server knows" in told
    assert "Ranking" in told


def test_a_seat_sees_its_own_secrets_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    """In its own numbers."""
    dealt = next(e for e in recorded_fields(NAME) if e["type"] == "bookmaker.hands_dealt")
    told = shown(capsys, "--seat", "2")
    assert " ".join(dealt["private"]["2"]["hand"]) in told
    assert " ".join(dealt["private"]["1"]["hand"]) not in told
    assert "salt" not in told
    assert "joker_kept" in told


def test_the_public_sees_no_hand_and_no_kept_joker(capsys: pytest.CaptureFixture[str]) -> None:
    """And its numbers have no gap."""
    told = shown(capsys, "--public")
    assert "joker_kept" not in told
    assert "hand " not in told
    public = [e for e in recorded_fields(NAME) if e["audience"] == "public"]
    numbers = [line.split()[0] for line in told.splitlines()[: len(public)]]
    assert numbers == [str(i) for i in range(1, len(public) + 1)]


def test_the_board_is_shown_at_any_point(capsys: pytest.CaptureFixture[str]) -> None:
    """One event, the board after it."""
    events = recorded_fields(NAME)
    at = next(e["seq"] for e in events if e["type"] == "bookmaker.odds_shown")
    told = shown(capsys, "--at", str(at))
    assert told.splitlines()[0].split()[:3] == [str(at), "14:00:04", "odds_shown"]
    assert "bets" in told
    assert "Ranking" not in told


@pytest.mark.parametrize(
    "words", [["--seat", "3"], ["--at", "100000"], ["--seat", "1", "--at", "100000"]]
)
def test_a_seat_or_a_moment_that_there_is_not_is_asked_wrongly(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2."""
    assert main(["replay", FILE, *words]) == 2
    assert capsys.readouterr().err.startswith("homestretch: ")


@pytest.mark.parametrize("words", [["--seat", "0"], ["--at", "x"], ["--seat", "1", "--public"]])
def test_words_that_make_no_sense_are_refused(words: list[str]) -> None:
    """By the parser."""
    with pytest.raises(SystemExit) as ended:
        main(["replay", FILE, *words])
    assert ended.value.code == 2


def test_a_log_in_mid_meeting_is_shown_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Replay does not ask whether it is honest: that is `verify`."""
    file = tmp_path / "log.ndjson"
    file.write_bytes(b"".join(recorded_lines(NAME)[:20]))
    told = shown(capsys, file=str(file))
    assert "race 1 of 2" in told


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"no log\n", b'{"game":"chess","hash":"' + b"0" * 64 + b'"}\n']
)
def test_what_is_no_log_is_told_in_a_word(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, no traceback."""
    file = tmp_path / "log.ndjson"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 1
    assert capsys.readouterr().err.startswith("homestretch: ")


def test_an_event_that_fits_nothing_before_it_is_told_in_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, the line, and what to ask."""
    events = recorded_fields(NAME)
    del events[1]["seat"]
    file = tmp_path / "log.ndjson"
    file.write_bytes(b"".join(rechained(events)))
    assert main(["replay", str(file)]) == 1
    assert "line 2 does not follow" in capsys.readouterr().err


def test_a_missing_file_is_asked_wrongly(tmp_path: Path) -> None:
    """Exit code 2."""
    assert main(["replay", str(tmp_path / "none.ndjson")]) == 2


def test_names_move_nothing_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control signs from a file are never printed."""
    events = recorded_fields(NAME)
    events[1]["name"] = "A\x1b[31mnn"
    file = tmp_path / "log.ndjson"
    file.write_bytes(b"".join(rechained(events)))
    told = shown(capsys, file=str(file))
    assert "\x1b" not in told
