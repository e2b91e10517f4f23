"""What a browser gets under /docs where no page is: the way to the one it means, or a word."""

import re
from functools import cache
from urllib.parse import unquote

from markupsafe import Markup

from service.http.accepting import prefers_page
from service.http.call import Answer
from service.http.docs import links
from service.http.docs.pages import HEADERS, MEDIA, page

_BODY = Markup(
    '<p>Nothing is at this address. <a href="{}">The first page</a> leads to every other.</p>'
).format(links.HOME)


def for_browser(raw_path: bytes, accept: str | None) -> Answer | None:
    """The answer to who would rather have a page; None for all others, who get the problem."""
    path = unquote(raw_path.decode("latin-1"))
    if not f"{path}/".startswith(f"{links.HOME}/") or not prefers_page(accept):
        return None
    meant = re.sub("/+", "/", path).rstrip("/")
    if meant in _pages():
        return Answer(status=308, headers={"Location": meant, "Vary": "Accept"})
    body = page("No such page", _BODY, here="")
    return Answer(status=404, body=body, media=MEDIA, headers={**HEADERS, "Vary": "Accept"})


@cache
def _pages() -> frozenset[str]:
    """Where pages are: only these are led to."""
    return frozenset({links.HOME, *(link.url for part in links.menu() for link in part.links)})
