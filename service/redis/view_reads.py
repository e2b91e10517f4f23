"""What folds ask of a view in Redis, each answer with how far the generation was in that moment."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from projections.projection import document_of
from service.ports_views import Found, Moved
from service.redis.client import Calls, Part
from service.redis.faults import surely
from service.redis.script import Script

PAGE = 500
"""Documents that one call reads: an answer must not keep others on the connection waiting."""

_READ = Script("view_read.lua")


async def fetch(calls: Calls, keys: Sequence[str], partition: int, ids: Sequence[str]) -> Found:
    """Documents by id; `keys` are those of the checkpoints and the documents.

    Raises:
        Moved, LogUnavailable.
    """
    pages = [ids[start : start + PAGE] for start in range(0, len(ids), PAGE)] or [()]
    answers = [await _read(calls, keys, partition, *page) for page in pages]
    bodies = chain.from_iterable(answer[3] for answer in answers)
    return _found(answers, dict(zip(ids, bodies, strict=True)))


async def since(calls: Calls, keys: Sequence[str], partition: int, start: str) -> Found:
    """The documents of an index from a member on; its key is the third of `keys`.

    Raises:
        Moved, LogUnavailable.
    """
    answers: list[list[Any]] = []
    documents: dict[str, bytes | None] = {}
    bound = f"[{start}"
    while True:
        answers.append(await _read(calls, keys, partition, bound, PAGE))
        members = [member.decode() for member in answers[-1][2]]
        ids = (document_of(member) for member in members)
        documents.update(zip(ids, answers[-1][3], strict=True))
        if len(members) < PAGE:
            return _found(answers, documents)
        bound = f"({members[-1]}"


async def _read(calls: Calls, keys: Sequence[str], partition: int, *args: Part) -> list[Any]:
    answer: list[Any] = await surely(partial(_READ.run, calls, keys, partition, *args))
    return answer


def _found(answers: Sequence[list[Any]], documents: dict[str, bytes | None]) -> Found:
    """One answer of several pages, unless the partition moved on between them."""
    if len({answer[0] for answer in answers}) > 1:
        raise Moved
    position, revision = answers[0][:2]
    return Found(documents=documents, position=position, revision=revision)
