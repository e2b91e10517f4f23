"""What a request's headers say about the form of its answer: Accept and If-None-Match."""

import re
from collections.abc import Sequence

_ETAG = re.compile(r'(?:W/)?("[^"]*")')


def best(accept: str | None, offered: Sequence[str]) -> int | None:
    """Which of the media types offered suits best (the first of equals); None if none does.

    The most exact range that fits a type gives its weight (RFC 9110, 12.5.1).
    """
    if accept is None or not accept.strip():
        return 0
    ranges = [_range(part) for part in accept.split(",") if part.strip()]
    weights = [_weight(media, ranges) for media in offered]
    top = max(weights)
    return weights.index(top) if top > 0 else None


def prefers_page(accept: str | None) -> bool:
    """Whether a page for people suits better than JSON, as for a browser."""
    return best(accept, ("application/json", "text/html")) == 1


def _range(part: str) -> tuple[str, float]:
    media, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                weight = min(1.0, max(0.0, float(value)))
            except ValueError:
                weight = 0.0
    return media, weight


def _weight(media: str, ranges: Sequence[tuple[str, float]]) -> float:
    kind = media.partition("/")[0]
    for form in (media, f"{kind}/*", "*/*"):
        fitting = [weight for range_, weight in ranges if range_ == form]
        if fitting:
            return max(fitting)
    return 0.0


def matches(if_none_match: str | None, etag: str) -> bool:
    """Whether the caller has this version of what it asks for (weak comparison)."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or etag in _ETAG.findall(if_none_match)
