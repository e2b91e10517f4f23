"""Every rule of every sheet is cited where it is enforced and where it is tested."""

import re
from pathlib import Path

import pytest

from domain.registry import GAMES

ROOT = Path(__file__).parents[2]
ID = r"[A-Z]{2}-(?:[A-Z]+[0-9]+|[0-9]+[A-Z])"
RULE = re.compile(rf"^- \*\*({ID})\*\*", re.MULTILINE)
CITED = re.compile(rf"\b{ID}\b")

games = pytest.mark.parametrize("game", list(GAMES))


def folder(game: str, *above: str) -> Path:
    """A game's folder below these."""
    return ROOT.joinpath(*above, game.replace("-", "_"))


def rules(game: str) -> list[str]:
    """The rule ids of the sheet."""
    return RULE.findall((folder(game, "domain", "games") / "RULES.md").read_text())


def texts(where: Path) -> dict[str, str]:
    """Every Python file below, by name."""
    return {path.name: path.read_text() for path in where.rglob("*.py")}


@games
def test_a_sheet_has_each_rule_once(game: str) -> None:
    """RULES.md is the sheet as it is."""
    ids = rules(game)
    assert len(ids) > 5
    assert len(set(ids)) == len(ids)


@games
def test_every_rule_is_cited_where_it_is_enforced(game: str) -> None:
    """Design, Laws"""
    cited = set(CITED.findall("".join(texts(folder(game, "domain", "games")).values())))
    assert set(rules(game)) - cited == set()


@games
def test_every_rule_is_cited_where_it_is_tested(game: str) -> None:
    """Design, Laws"""
    cited = set(CITED.findall("".join(texts(folder(game, "tests", "domain", "games")).values())))
    assert set(rules(game)) - cited == set()


@games
def test_no_rule_is_cited_that_is_not_in_the_sheet(game: str) -> None:
    """A rule's id is never another's or an old one."""
    prefix = rules(game)[0].split("-")[0]
    for where in (folder(game, "domain", "games"), folder(game, "tests", "domain", "games")):
        cited = set(CITED.findall("".join(texts(where).values())))
        assert {rule for rule in cited if rule.startswith(prefix)} <= set(rules(game))


@games
def test_every_refusal_names_a_rule_of_the_sheet_and_is_tested(game: str) -> None:
    """Contract, Errors"""
    tests = texts(folder(game, "tests", "domain", "games")).values()
    for reason in GAMES[game].reasons:
        if reason.rule is not None:
            assert reason.rule in rules(game)
        wanted = [f'"{reason.code}"', *([f'"{reason.rule}"'] if reason.rule else [])]
        assert any(all(part in text for part in wanted) for text in tests), reason.code


@games
def test_every_game_tests_what_is_hidden_with_twins(game: str) -> None:
    """Design, Laws: for two meetings that differ only in what a viewer may not know."""
    assert "twin" in (folder(game, "tests", "domain", "games") / "test_hidden.py").read_text()
