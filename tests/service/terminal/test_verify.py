"""`homestretch verify`: what people and scripts are told about a log file."""

import io
from pathlib import Path

import msgspec
import pytest

from service.cli import main
from tests.kit.forging import rechained
from tests.kit.recorded import RECORDED, recorded_fields, recorded_lines

NAME = "all_kinds__won"
FILE = str(RECORDED.folder / f"{NAME}.ndjson")


def last_hash() -> str:
    """Of the recorded log."""
    return recorded_lines(NAME)[-1][-67:-3].decode()


def write(path: Path, lines: list[bytes]) -> str:
    """A log file."""
    path.write_bytes(b"".join(lines))
    return str(path)


def test_an_honest_log_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, the facts, whose nonce came last."""
    assert main(["verify", FILE]) == 0
    told = capsys.readouterr().out
    assert "The log is in order." in told
    assert last_hash() in told
    assert "m-spring-cup" in told
    assert "Seat 1 gave the last nonce" in told


def test_a_changed_log_is_not_and_its_first_bad_line_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1."""
    lines = list(recorded_lines(NAME))
    lines[16] = lines[16].replace(b'"seq":17', b'"seq":18')
    assert main(["verify", write(tmp_path / "log.ndjson", lines)]) == 1
    told = capsys.readouterr().out
    assert "line 17: " in told
    assert "NOT verified" in told


def test_a_log_cut_short_is_called_incomplete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1: nothing is proved by it."""
    file = write(tmp_path / "log.ndjson", list(recorded_lines(NAME))[:50])
    assert main(["verify", file]) == 1
    assert "incomplete" in capsys.readouterr().out


def test_a_kept_hash_is_found_or_missed(capsys: pytest.CaptureFixture[str]) -> None:
    """In either case of letters."""
    assert main(["verify", FILE, "--expect", last_hash().upper()]) == 0
    assert f"line {len(recorded_lines(NAME))}" in capsys.readouterr().out
    assert main(["verify", FILE, "--expect", "0" * 64]) == 1
    assert "another history" in capsys.readouterr().out


def test_other_rules_are_told_not_to_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3: under rules that nobody has, whatever ranking is written stands unquestioned."""
    events = recorded_fields(NAME)
    events[0]["rules"] = "0"
    file = write(tmp_path / "log.ndjson", rechained(events))
    assert main(["verify", file]) == 3
    told = capsys.readouterr().out
    assert "rules were NOT checked" in told
    assert "The log is NOT verified: as far as it was checked" in told
    assert "The log is in order." not in told
    assert main(["verify", "--json", file]) == 3
    report = msgspec.json.decode(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["problems"] == []


@pytest.mark.parametrize("name", RECORDED.names)
def test_every_recorded_meeting_of_these_rules_is_checked_whole(name: str) -> None:
    """Abandoned ones too, also before their start."""
    assert main(["verify", str(RECORDED.folder / f"{name}.ndjson")]) == 0


def test_the_report_as_json_has_every_fact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For scripts: the same exit codes."""
    assert main(["verify", "--json", FILE]) == 0
    report = msgspec.json.decode(capsys.readouterr().out)
    assert report["ok"] is True
    assert report["rules_checked"] is True
    assert report["problems"] == []
    assert report["facts"]["hash"] == last_hash()
    file = write(tmp_path / "log.ndjson", list(recorded_lines(NAME))[1:])
    assert main(["verify", "--json", file]) == 1
    report = msgspec.json.decode(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["problems"][0]["line"] == 1


def test_a_log_comes_from_standard_input_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `homestretch export … | homestretch verify -`."""
    data = b"".join(recorded_lines(NAME))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["verify", "-"]) == 0
    assert "in order" in capsys.readouterr().out


def test_a_missing_file_and_a_hash_that_is_none_are_asked_wrongly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2: that says nothing about a log."""
    assert main(["verify", str(tmp_path / "none.ndjson")]) == 2
    assert "can't read" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["verify", FILE, "--expect", "abc"])
    assert ended.value.code == 2
    assert "64 hexadecimal digits" in capsys.readouterr().err


def test_a_forged_name_moves_nothing_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control signs from a file are never printed."""
    events = recorded_fields(NAME)
    for event in events:
        event["meeting"] = "m\x1b[2J"
    main(["verify", write(tmp_path / "log.ndjson", rechained(events))])
    told = capsys.readouterr().out
    assert "\x1b" not in told
    assert "\N{REPLACEMENT CHARACTER}[2J" in told
