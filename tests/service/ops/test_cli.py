"""The command line: what it prints, and how it tells what was asked wrongly."""

import json
from pathlib import Path

import pytest

from service import cli
from service.settings import TABLE

ROOT = Path(__file__).parents[3]


def test_the_help_names_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for name in (
        "up",
        "export",
        "inspect",
        "settings",
        "openapi",
        "serve",
        "project",
        "react",
        "work",
    ):
        assert f"\n    {name} " in text


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["work"],
        ["work", "hard"],
        ["export"],
        ["settings", "--yaml"],
        ["serve", "--fd", "three"],
    ],
)
def test_what_is_asked_wrongly_ends_with_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 2
    assert "usage: homestretch" in capsys.readouterr().err


def test_nothing_asked_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "usage: homestretch" in capsys.readouterr().out


def test_a_bad_setting_is_one_line_whatever_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOMESTRETCH_PORT", "eighty")
    assert cli.main(["settings"]) == 2
    assert capsys.readouterr().err == (
        "homestretch: HOMESTRETCH_PORT must be a whole number from 0 to 65535; 'eighty' is not\n"
    )


def test_settings_lists_each_variable_with_its_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("HOMESTRETCH_PORT", "9000")
    monkeypatch.setenv("HOMESTRETCH_ADMIN_TOKEN", "s3cret")
    assert cli.main(["settings"]) == 0
    text = capsys.readouterr().out
    assert [row.variable for row in TABLE if row.variable not in text] == []
    assert "s3cret" not in text
    (port,) = (line for line in text.splitlines() if line.startswith("HOMESTRETCH_PORT "))
    assert "9000" in port
    assert "Default: 8080." in port, "a line that nobody's window breaks"


def test_settings_can_be_read_by_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOMESTRETCH_RATE_LIMIT", "off")
    monkeypatch.setenv("HOMESTRETCH_REDIS_URL", "redis://:s3cret@db/1")
    assert cli.main(["settings", "--json"]) == 0
    text = capsys.readouterr().out
    assert "s3cret" not in text
    rows = {row["variable"]: row for row in json.loads(text)}
    assert list(rows) == [row.variable for row in TABLE]
    assert (rows["HOMESTRETCH_RATE_LIMIT"]["value"], rows["HOMESTRETCH_RATE_LIMIT"]["default"]) == (
        "off",
        "on",
    )
    assert rows["HOMESTRETCH_REDIS_URL"]["value"] == "redis://db/1"


@pytest.mark.parametrize(
    ("words", "file"), [(["openapi"], "openapi.json"), (["openapi", "--events"], "events.json")]
)
def test_openapi_prints_the_committed_document(
    words: list[str], file: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(words) == 0
    assert capfdbinary.readouterr().out == (ROOT / "openapi" / file).read_bytes()


def test_export_says_that_no_server_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["export", "m1", "--url", "http://127.0.0.1:9", "--output", str(tmp_path / "log")]
    assert cli.main(words) == 1
    told = capsys.readouterr().err
    assert told.startswith("homestretch: no server answers at http://127.0.0.1:9;")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["serve"], ["project"], ["react"], ["work", "turns"]])
def test_a_part_alone_needs_a_redis_that_is_named(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 2
    assert capsys.readouterr().err.startswith("homestretch: HOMESTRETCH_REDIS_URL must name")
