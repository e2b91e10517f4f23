"""The server in words: what stands at its root, and a page for every code of a problem.

Each page tells what the code means, what to do about it and shows a real example. People get HTML,
programs JSON, and whoever asks for nothing in particular plain text.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.registry import GAMES
from service import rulebook
from service.http import params
from service.http import problems as p
from service.http.accepting import best, prefers_page
from service.http.advice import advice_for
from service.http.call import Answer, Call, as_json
from service.http.docs import links
from service.http.docs.markdown import quoted
from service.http.docs.pages import HEADERS, fill, page
from service.http.operation import Form, Operation
from service.http.release import RELEASE

TAG = "operations"
TEXT, HTML, JSON = "text/plain", "text/html", "application/json"
OFFERED = (TEXT, HTML, JSON)
CHARSET = "; charset=utf-8"


class ProblemSample(Struct, frozen=True, kw_only=True):
    """A call that was refused so, and the problem document that it got.

    Args:
        call: method and path.
        body: what was sent, where that matters.
        problem: the document.
    """

    call: str
    problem: dict[str, Any]
    body: Any | UnsetType = UNSET


class Explanation(p.ProblemCode, frozen=True, kw_only=True):
    """A code in words.

    Args:
        advice: what to do about it.
        texts: the rules that refuse so, by id.
        sample: a real one.
    """

    advice: str
    texts: dict[str, str]
    sample: ProblemSample


class Welcome(Struct, frozen=True, kw_only=True):
    """What is where: paths of this server."""

    name: str
    release: str
    docs: str
    openapi: str
    games: str
    problems: str
    limits: str
    health: str


WELCOME = Welcome(
    name="homestretch",
    release=RELEASE,
    docs="/docs",
    openapi="/openapi.json",
    games="/v1/games",
    problems="/v1/problems",
    limits="/v1/limits",
    health="/health/ready",
)


@cache
def examples() -> dict[str, ProblemSample]:
    """An example of every code; tests record them and hold them fresh."""
    text = files("service.http").joinpath("problem_examples.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, ProblemSample])


@cache
def explanation(code: str) -> Explanation:
    """All there is to say of a code.

    Raises:
        KeyError: there is no such code.
    """
    kind = p.table(tuple(GAMES))[code]
    texts = {
        rule: text
        for game in kind.games
        for rule, text in rulebook.texts(game).items()
        if rule in kind.rules
    }
    return Explanation(
        **msgspec.structs.asdict(kind),
        advice=advice_for(kind),
        texts=texts,
        sample=examples()[code],
    )


async def find_problem(call: Call) -> None:
    """The code that the path names."""
    if call.path("code") not in p.table(tuple(GAMES)):
        raise p.Refusal(p.NOT_FOUND)


async def explain_problem(call: Call) -> Answer:
    """A code in words, in the form that is asked for."""
    told = explanation(call.path("code"))
    chosen = _chosen(call)
    if chosen == JSON:
        return as_json(told, headers={"Vary": "Accept"})
    return _as_page(told) if chosen == HTML else _as_text(told)


async def welcome(call: Call) -> Answer:
    """Where everything is: for a browser the first page for people."""
    if prefers_page(call.headers.get("accept")):
        body = call.documents.site.home()
        return Answer(body=body, media=HTML + CHARSET, headers={**HEADERS, "Vary": "Accept"})
    return as_json(WELCOME, headers={"Vary": "Accept"})


def _chosen(call: Call) -> str:
    at = best(call.headers.get("accept"), OFFERED)
    if at is None:
        raise p.Refusal(p.NOT_ACCEPTABLE)
    return OFFERED[at]


def _sent(told: Explanation) -> str:
    """The example as text: the call, what was sent, what came back."""
    parts = [told.sample.call]
    if told.sample.body is not UNSET:
        parts.append(_json(told.sample.body))
    return "\n".join([*parts, "", str(told.status), p.MEDIA, _json(told.sample.problem)])


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _as_text(told: Explanation) -> Answer:
    rules = [f"{rule}: {text}" for rule, text in told.texts.items()]
    head = f"{told.title}\n\n{told.status} {told.code}\n{told.detail}"
    text = "\n\n".join([head, told.advice, *rules, f"For example:\n\n{_sent(told)}"])
    return Answer(body=f"{text}\n".encode(), media=TEXT + CHARSET, headers={"Vary": "Accept"})


def _as_page(told: Explanation) -> Answer:
    urls = links.rule_urls()
    body = fill(
        "problem.html",
        told=told,
        advice=quoted(told.advice),
        rules=[(rule, urls[rule], quoted(text)) for rule, text in told.texts.items()],
        example=_sent(told),
    )
    made = page(told.title, body, here=told.type, lead=quoted(told.detail))
    return Answer(body=made, media=HTML + CHARSET, headers={**HEADERS, "Vary": "Accept"})


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="ShowWelcome",
        method="GET",
        path="/",
        tag=TAG,
        summary="What is where on this server",
        handle=welcome,
        token="none",
        rate=None,
        answers={200: Form(kind=Welcome, text=(HTML,))},
    ),
    Operation(
        id="ExplainProblem",
        method="GET",
        path="/problems/{code}",
        tag=TAG,
        summary="An error code in words, with an example",
        handle=explain_problem,
        token="none",
        rate=None,
        subject=find_problem,
        path_parameters=(params.CODE,),
        answers={200: Form(kind=Explanation, text=(TEXT, HTML))},
        refusals=(p.NOT_FOUND, p.NOT_ACCEPTABLE),
    ),
)
