"""`homestretch play` as a person has it: typed at standard input, shown on standard output."""

import io
import sys

import pytest

from service import cli


def test_a_person_plays_to_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first action is always legal; `wait` means nothing where one is owed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("wait\n1\n" * 20_000))
    assert cli.main(["play", "--seats", "3", "--fast"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Bookmaker, 3 seats. You have seat 1.")
    assert "Ranking" in text


def test_the_end_of_input_ends_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("board\n"))
    assert cli.main(["play", "--fast", "--options", '{"programme": ["joker", "trot"]}']) == 0
    text = capsys.readouterr().out
    assert "race 1 of 2" in text
    assert "You leave the table." in text


def test_a_game_that_there_is_not_is_asked_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["play", "--game", "hurdles"])
    assert ended.value.code == 2
    assert "bookmaker" in capsys.readouterr().err
