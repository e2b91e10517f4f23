"""Which form of an answer suits, and whether the caller has it."""

import pytest

from service.http.accepting import best, matches, prefers_page

OFFERED = ("application/json", "application/x-ndjson", "text/plain")


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, 0),
        ("", 0),
        ("*/*", 0),
        ("text/plain", 2),
        ("TEXT/PLAIN", 2),
        ("text/*", 2),
        ("application/json;q=0.1, text/plain;q=0.2", 2),
        ("application/json;q=0, */*", 1),
        ("*/*;q=0.1, application/x-ndjson;q=0.5", 1),
        ("application/json;q=x", None),
        ("image/png", None),
        ("*/*;q=0", None),
    ],
)
def test_the_media_type_that_suits_best_is_chosen(accept: str | None, chosen: int | None) -> None:
    assert best(accept, OFFERED) == chosen


@pytest.mark.parametrize(
    ("accept", "page"),
    [
        (None, False),
        ("*/*", False),
        ("application/json", False),
        ("text/html", True),
        ("text/html, */*;q=0.8", True),
        ("text/html;q=0.5, application/json", False),
        ("image/png", False),
    ],
)
def test_a_page_is_for_who_would_rather_have_one(accept: str | None, page: bool) -> None:
    assert prefers_page(accept) is page


@pytest.mark.parametrize(
    ("told", "known"),
    [
        (None, False),
        ('"a"', True),
        ('W/"a"', True),
        ('"b", "a"', True),
        ("*", True),
        ('"b"', False),
        ("a", False),
        ("", False),
    ],
)
def test_an_etag_is_compared_weakly(told: str | None, known: bool) -> None:
    assert matches(told, '"a"') is known
