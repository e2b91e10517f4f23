"""Views in Redis, each in a slot of its own; one script applies a batch and its checkpoint.

es:{view:<name>}:meta            hash  live, last, invalid: numbers of generations; v<number>
                                       the version of one in use, left<number> one given up
es:{view:<name>}:g<n>:at         hash  position by partition, m<partition> the hash of the line that
                                       it ends at, s<partition> a stall
es:{view:<name>}:g<n>:docs       hash  body by document id
es:{view:<name>}:g<n>:names      set   names of the indexes that have members
es:{view:<name>}:g<n>:ix:<index> zset  members, all with score 0: sorted by their bytes
"""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from projections.projection import Change, Fetch, Since
from service.ports_views import (
    Applied,
    Batch,
    Contents,
    Found,
    Progress,
    Slice,
    Stall,
    ViewState,
)
from service.redis.client import Calls, Part
from service.redis.faults import once, surely
from service.redis.script import Script
from service.redis.view_reads import PAGE, fetch, since

LINGER_SECONDS = 600
"""How long a generation that was given up can still be read."""

_APPLY = Script("view_apply.lua")
_BEGIN = Script("view_begin.lua")
_DROP = Script("view_drop.lua")
_PAGE = Script("view_page.lua")
_STALL = Script("view_stall.lua")
_SWITCH = Script("view_switch.lua")


class RedisViews:
    """`service.ports_views.Views` over Redis ≥ 6.2.

    Args:
        calls: the way to Redis.
        partitions: of the log.
    """

    def __init__(self, calls: Calls, partitions: int) -> None:
        self.partitions = partitions
        self._calls = calls

    async def state(self, view: str) -> ViewState:
        """The generations there are."""
        meta = _pairs(await self._call("HGETALL", _meta(view)))
        live = int(meta[b"live"]) if b"live" in meta else None
        return ViewState(
            live=live,
            versions={int(k[1:]): v.decode() for k, v in meta.items() if k[:1] == b"v"},
            invalid=live is not None and int(meta.get(b"invalid", 0)) == live,
            left=tuple(int(k[4:]) for k in meta if k[:4] == b"left"),
        )

    async def live(self, view: str) -> int | None:
        """The generation that readers use."""
        number = await self._call("HGET", _meta(view), "live")
        return None if number is None else int(number)

    async def begin(self, view: str, version: str, live: int | None) -> int | None:
        """Begin a generation, unless one is being built in this version."""
        seen = "" if live is None else live
        number = await once(_BEGIN.run(self._calls, [_meta(view)], version, seen))
        return None if number is None else int(number)

    async def switch(self, view: str, generation: int) -> bool:
        """Make a generation the live one, unless it is behind that which is."""
        live = await self.live(view)
        if live == generation:
            return False
        old, seen = (generation, "") if live is None else (live, live)
        keys = [_meta(view), _key(view, generation, "at"), _key(view, old, "at")]
        return bool(await once(_SWITCH.run(self._calls, keys, generation, seen, self.partitions)))

    async def invalidate(self, view: str, generation: int) -> None:
        """Mark the live generation as invalid; give one that is being built up at once."""
        await surely(partial(_DROP.run, self._calls, [_meta(view)], generation))

    async def retire(self, view: str, generation: int) -> None:
        """Let a generation that was given up vanish, once those who still read it are done."""
        cursor: int | bytes = 0
        while True:
            cursor, names = await self._call(
                "SSCAN", _key(view, generation, "names"), cursor, "COUNT", PAGE
            )
            await self._expire(view, generation, [f"ix:{name}" for name in _texts(names)])
            if int(cursor) == 0:
                break
        await self._expire(view, generation, ["docs", "at", "names"])
        await self._call("HDEL", _meta(view), f"left{generation}")

    async def progress(self, view: str, generation: int) -> Progress:
        """How far a generation is."""
        at = _pairs(await self._call("HGETALL", _key(view, generation, "at")))
        return Progress(
            positions=tuple(int(at.get(b"%d" % p, 0)) for p in range(self.partitions)),
            stalled={
                int(k[1:]): msgspec.json.decode(v, type=Stall)
                for k, v in at.items()
                if k[:1] == b"s"
            },
            marks={int(k[1:]): v.decode() for k, v in at.items() if k[:1] == b"m"},
        )

    async def apply(self, view: str, generation: int, batch: Batch) -> Applied:
        """Apply a batch and move the checkpoint of its partition, both or neither.

        Where the answer was lost it is asked for again, and may then be SKIP for a batch applied.
        """
        keys, args = _arguments(view, generation, batch)
        answer = await surely(partial(_APPLY.run, self._calls, keys, *args))
        return Applied(answer.decode())

    async def stall(self, view: str, generation: int, partition: int, stall: Stall) -> None:
        """Note that a partition stands still."""
        keys = [_meta(view), _key(view, generation, "at")]
        args = (generation, partition, stall.position, msgspec.json.encode(stall))
        await surely(partial(_STALL.run, self._calls, keys, *args))

    async def retry(self, view: str) -> None:
        """Forget the stalls of all generations."""
        for generation in (await self.state(view)).versions:
            stalls = [f"s{p}" for p in range(self.partitions)]
            await self._call("HDEL", _key(view, generation, "at"), *stalls)

    async def documents(
        self, view: str, generation: int, ids: Sequence[str]
    ) -> dict[str, bytes | None]:
        """The bodies of these documents, None where there is none."""
        found: dict[str, bytes | None] = {}
        for start in range(0, len(ids), PAGE):
            some = ids[start : start + PAGE]
            bodies = await self._call("HMGET", _key(view, generation, "docs"), *some)
            found.update(zip(some, bodies, strict=True))
        return found

    async def page(
        self,
        view: str,
        generation: int,
        index: str,
        *,
        after: str | None = None,
        count: int,
        backwards: bool = False,
    ) -> Slice:
        """At most `count` members of an index behind a member (which need not be there)."""
        keys = [_key(view, generation, f"ix:{index}"), _key(view, generation, "docs")]
        args = (after or "", count, int(backwards))
        members, bodies, before, lower = await surely(partial(_PAGE.run, self._calls, keys, *args))
        pairs = zip(_texts(members), bodies, strict=True)
        items = [(member, body) for member, body in pairs if body is not None]
        return Slice(items=items, before=before, lower=lower)

    async def answer(
        self, view: str, generation: int, partition: int, question: Fetch | Since
    ) -> Found:
        """What a fold of this partition asks for, all as of one moment."""
        keys = [_key(view, generation, "at"), _key(view, generation, "docs")]
        if isinstance(question, Fetch):
            return await fetch(self._calls, keys, partition, question.ids)
        keys.append(_key(view, generation, f"ix:{question.index}"))
        return await since(self._calls, keys, partition, question.start)

    async def contents(self, view: str, generation: int) -> Contents:
        """Everything, to compare two generations."""
        bodies = _pairs(await self._call("HGETALL", _key(view, generation, "docs")))
        indexes = {}
        for name in _texts(await self._call("SMEMBERS", _key(view, generation, "names"))):
            key = _key(view, generation, f"ix:{name}")
            if members := _texts(await self._call("ZRANGE", key, 0, -1)):
                indexes[name] = members
        return Contents(documents={k.decode(): v for k, v in bodies.items()}, indexes=indexes)

    async def _expire(self, view: str, generation: int, parts: list[str]) -> None:
        keys = (_key(view, generation, part) for part in parts)
        await asyncio.gather(*(self._call("EXPIRE", key, LINGER_SECONDS) for key in keys))

    async def _call(self, *parts: Part) -> Any:
        return await surely(partial(self._calls.call, *parts))


def _arguments(view: str, generation: int, batch: Batch) -> tuple[list[str], list[Part]]:
    """Keys and arguments of the script that applies a batch."""
    put = [change for change in batch.changes if change.body is not None]
    removed = [change.id for change in batch.changes if change.body is None]
    args: list[Part] = [generation, batch.partition, batch.first, batch.last]
    args += ["" if batch.revision is None else batch.revision, batch.mark, len(put)]
    for change in put:
        args += (change.id, change.body or b"")
    args += (len(removed), *removed)
    keys = [_meta(view), *(_key(view, generation, part) for part in ("at", "docs", "names"))]
    for name, (add, drop) in _by_index(batch.changes).items():
        keys.append(_key(view, generation, f"ix:{name}"))
        args += (name, len(add), *add, len(drop), *drop)
    return keys, args


def _by_index(changes: Iterable[Change]) -> dict[str, tuple[list[str], list[str]]]:
    """What each index gains and loses."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for change in changes:
        for name, member in change.add:
            found.setdefault(name, ([], []))[0].append(member)
        for name, member in change.drop:
            found.setdefault(name, ([], []))[1].append(member)
    return found


def _meta(view: str) -> str:
    return f"es:{{view:{view}}}:meta"


def _key(view: str, generation: int, part: str) -> str:
    return f"es:{{view:{view}}}:g{generation}:{part}"


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    """A hash as RESP2 answers it: field, value, field, value …"""
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _texts(members: Iterable[bytes]) -> list[str]:
    return [member.decode() for member in members]
