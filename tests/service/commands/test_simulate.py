"""`homestretch simulate`: figures that can be had again, and what is asked wrongly."""

import json
from pathlib import Path

import pytest

from service import cli

WORDS = ["simulate", "--game", "bookmaker", "--seats", "2", "--bots", "steady,random"]


def simulated(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """The figures as JSON, without what hangs on the machine."""
    assert cli.main([*WORDS, *words, "--json"]) == 0
    figures: dict[str, object] = json.loads(capsys.readouterr().out)
    for name in ("seconds", "meetings_per_second", "moves_per_second", "jobs"):
        assert figures.pop(name)
    return figures


def test_figures_are_the_same_for_the_same_seed_however_many_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    once = simulated(capsys, "--meetings", "10", "--seed", "3")
    again = simulated(capsys, "--meetings", "10", "--seed", "3", "--jobs", "2")
    other = simulated(capsys, "--meetings", "10", "--seed", "4")
    assert once == again
    assert once["bots"] != other["bots"]
    assert once["meetings"] == 10
    assert [bot["bot"] for bot in once["bots"]] == ["steady", "random"]  # type: ignore[attr-defined]


def test_the_table_names_bots_rates_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*WORDS, "--meetings", "9", "--verify"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("10 meetings of bookmaker, 2 seats, seed 1: ")
    for word in ("meetings/s", "moves/s", "every log verified", "steady", "random", "±", "0.500"):
        assert word in " ".join(text.split())


def test_logs_are_kept_where_they_are_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs" / "today"
    assert cli.main([*WORDS, "--meetings", "2", "--out", str(folder)]) == 0
    assert len(list(folder.iterdir())) == 2


def test_bots_take_the_seats_in_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "--seats", "3", "--meetings", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [(bot["bot"], bot["seats"]) for bot in figures["bots"]] == [("steady", 2), ("random", 1)]


def test_options_are_those_of_the_meetings(capsys: pytest.CaptureFixture[str]) -> None:
    options = '{"brocco": true, "odds_step": 0.5}'
    figures = simulated(capsys, "--meetings", "2", "--options", options)
    told = figures["options"]
    assert isinstance(told, dict)
    assert told["brocco"] is True
    assert told["odds_step"] == 0.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seats", "10"], "Bookmaker has 2 to 9 seats, not 10"),
        (["--bots", "steady,clever"], "Bookmaker has no bot 'clever'; it has random, steady"),
        (["--bots", "steady,random,random"], "3 bots do not fit on 2 seats"),
        (["--options", "{"], "--options is no JSON object"),
        (["--options", "[]"], "--options is no JSON object"),
        (["--options", '{"cash": 5}'], "--options cash: "),
        (["--options", '{"hurdles": 5}'], "--options hurdles: "),
        (["--meetings", "0"], "--meetings must be at least 1"),
        (["--jobs", "0"], "--jobs must be from 1"),
    ],
)
def test_what_is_asked_wrongly_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*WORDS, *words]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"homestretch: {said}")
    assert told.count("\n") == 1


def test_a_folder_that_can_not_be_made_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main([*WORDS, "--out", str(tmp_path / "file" / "logs")]) == 1
    assert "can't write the logs" in capsys.readouterr().err
