"""The texts of rules: every id that the sheet has, and every id that a refusal names."""

import re
from importlib.resources import files

import pytest

from domain.registry import GAMES, reasons
from service.rulebook import texts


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_rule_of_the_sheet_has_its_text(game_id: str) -> None:
    sheet = files("domain.games").joinpath(game_id.replace("-", "_"), "RULES.md").read_text()
    ids = re.findall(r"^- \*\*([A-Z]{2}-[^*]+)\*\*", sheet, flags=re.MULTILINE)
    assert list(texts(game_id)) == ids
    assert all(text.strip() and "**" not in text for text in texts(game_id).values())


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_refusal_by_a_rule_names_a_rule_that_has_a_text(game_id: str) -> None:
    named = {reason.rule for reason in reasons(game_id) if reason.rule is not None}
    assert named <= set(texts(game_id))


def test_a_rule_of_several_lines_is_read_to_its_end() -> None:
    lines = texts("bookmaker")["BM-J2"].splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("A joker in hand may be played right after a turned card")
    assert lines[2].endswith("a public event says that it goes on.")


def test_a_table_or_headline_after_a_rule_is_no_part_of_it() -> None:
    assert texts("bookmaker")["BM-P3"].endswith("the pot counts as taken until it is shared.")


def test_the_texts_of_a_game_that_is_not_there_are_an_error() -> None:
    with pytest.raises(KeyError):
        texts("hurdles")
