"""Words that answers and events use: their schemas tell which there are, and nothing is checked.

A type made of these is a plain text where it is decoded, so a log that a later version wrote can be
read; the documents name the words for those who write clients.
"""

from typing import Annotated

from msgspec import Meta


def known(title: str, *words: str) -> Meta:
    """A set of words that may grow; `title` is the name of the schema."""
    return Meta(
        title=title,
        description="There may be more of these words in time.",
        extra_json_schema={"enum": sorted(words)},
    )


def printed(title: str, *words: str) -> Meta:
    """The words printed on a game's board and cards, which are what they are."""
    return Meta(title=title, extra_json_schema={"enum": sorted(words)})


def word(only: str) -> Meta:
    """The one word of this place."""
    return Meta(extra_json_schema={"const": only})


Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""RFC 3339, UTC, with milliseconds."""
