"""The gate before the log: a Redis that could lose or hide what it acknowledged is not served from.

Every refusal names the setting to change, in the words of Redis or of the server's environment.
"""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from service.ports_health import LogHealth
from service.redis.client import Calls, Refused, Unreachable
from service.redis.keys import LAYOUT, META
from service.redis.script import Script

OLDEST = (6, 2)
"""The oldest release of Redis that will do."""

_META = Script("meta.lua")
_URL = "HOMESTRETCH_REDIS_URL"
_A_CLUSTER = "this Redis is a node of a Cluster: name it as redis+cluster://host:port"
_PASSING = ("LOADING", "CLUSTERDOWN")
"""What Redis answers while it begins."""


class GateRefused(Exception):
    """This Redis can't hold the log: `setting` is what to change, `detail` why.

    `passing` where it may be otherwise in a moment (away, loading).
    """

    def __init__(self, setting: str, detail: str, *, passing: bool = False) -> None:
        super().__init__(f"{setting}: {detail}")
        self.setting = setting
        self.detail = detail
        self.passing = passing


class LogFacts(Struct, frozen=True, kw_only=True):
    """What the gate found.

    Args:
        version: of Redis, as it writes it.
        fsync: `always` or `everysec`.
        fsync_confirmed: false where Redis forbids CONFIG, so that the policy is only stated.
        partitions: of the log.
        layout: of its keys.
        store: the store's own id, 32 hex digits; another one means another store.
    """

    version: str
    fsync: str
    fsync_confirmed: bool
    partitions: int
    layout: int
    store: str


async def check(client: Calls, *, fsync: str, partitions: int) -> LogFacts:
    """Pass a Redis that is fit to hold the log, and make an empty one a log.

    Raises:
        GateRefused.
    """
    try:
        servers = await client.servers()
        infos = await asyncio.gather(*map(_info, servers))
        configs = await asyncio.gather(*map(_config, servers))
        for server, info, config in zip(servers, infos, configs, strict=True):
            _fit(info)
            _durable(config, fsync)
            if info.get("cluster_enabled") == "1" and server is client:
                raise GateRefused(_URL, _A_CLUSTER)
        meta = await _meta(client, servers, partitions)
    except Unreachable as away:
        raise GateRefused(_URL, f"Redis can't be reached: {away}", passing=True) from away
    except Refused as refusal:
        passing = refusal.code in _PASSING
        raise GateRefused(_URL, f"Redis answered: {refusal}", passing=passing) from refusal
    return LogFacts(
        version=min((info["redis_version"] for info in infos), key=_version),
        fsync=fsync,
        fsync_confirmed=None not in configs,
        partitions=partitions,
        layout=LAYOUT,
        store=meta["store"],
    )


async def health(client: Calls, facts: LogFacts) -> LogHealth:
    """How the log that the gate passed is now; never raises what Redis does."""
    state: Literal["ok", "unreachable", "unfit"] = "ok"
    detail = ""
    used = limit = None
    try:
        servers = await client.servers()
        store, *infos = await asyncio.gather(
            client.call("HGET", META, "store"), *map(_info, servers)
        )
        memory = [(int(info["used_memory"]), int(info.get("maxmemory", 0))) for info in infos]
        used = sum(used for used, _ in memory)
        limit = sum(limit for _, limit in memory) if all(limit for _, limit in memory) else None
        for info in infos:
            _fit(info)
        if store is None or store.decode() != facts.store:
            raise GateRefused(_URL, "it is another store, or it was emptied")
        if any(0 < limit <= used for used, limit in memory):
            raise GateRefused("maxmemory", "its memory is full")
    except Unreachable as away:
        state, detail = "unreachable", str(away)
    except Refused as refusal:
        state, detail = "unfit", str(refusal)
    except GateRefused as refusal:
        state, detail = "unfit", str(refusal)
    return LogHealth(
        state=state,
        fsync=facts.fsync,
        fsync_confirmed=facts.fsync_confirmed,
        detail=detail,
        memory_bytes=used,
        memory_bytes_max=limit,
    )


def _fit(info: dict[str, str]) -> None:
    """What INFO must show, at the start and later."""
    if _version(info["redis_version"]) < OLDEST:
        raise GateRefused(_URL, f"Redis {info['redis_version']} is too old: 6.2 or later is needed")
    if info["loading"] != "0":
        raise GateRefused(_URL, "Redis is still loading its data", passing=True)
    if info["role"] != "master":
        raise GateRefused("replicaof", "this Redis is a read-only replica: name its primary")
    if info["aof_enabled"] != "1":
        raise GateRefused(
            "appendonly",
            "it is no: without an append-only file a restart loses the log. On a Redis that holds "
            "data use `CONFIG SET appendonly yes`: changed in its file alone it starts empty",
        )
    if info["aof_last_write_status"] != "ok":
        raise GateRefused("appendonly", "the last write to the append-only file failed")
    if info["maxmemory_policy"] != "noeviction":
        raise GateRefused(
            "maxmemory-policy",
            f"it is {info['maxmemory_policy']}, which throws data away when memory is full: "
            "it must be noeviction",
        )


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])


def _durable(config: dict[str, str] | None, fsync: str) -> None:
    """What the configuration must say, where it may be read."""
    if config is None:
        return
    if config["appendfsync"] != fsync:
        raise GateRefused(
            "HOMESTRETCH_FSYNC",
            f"it says {fsync}, but appendfsync of this Redis is {config['appendfsync']}",
        )
    if config["no-appendfsync-on-rewrite"] != "no":
        raise GateRefused(
            "no-appendfsync-on-rewrite",
            "it is yes, so that nothing is on disk for sure while the file is rewritten",
        )


async def _info(client: Calls) -> dict[str, str]:
    """INFO, as names and values."""
    lines = (await client.call("INFO")).decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


async def _config(client: Calls) -> dict[str, str] | None:
    """The settings that INFO does not show; None where Redis forbids CONFIG."""
    found: dict[str, str] = {}
    for name in ("appendfsync", "no-appendfsync-on-rewrite"):
        try:
            reply = await client.call("CONFIG", "GET", name)
        except Refused as refusal:
            if refusal.code in _PASSING:
                raise
            return None
        if not reply:
            return None
        found[reply[0].decode()] = reply[1].decode()
    return found


async def _meta(client: Calls, servers: Sequence[Calls], partitions: int) -> dict[str, str]:
    """What the store says it is; an empty one becomes a log of so many partitions."""
    # Of several masters the script sees its own alone.
    others = sum([await server.call("DBSIZE") for server in servers if server is not client])
    new = {"layout": LAYOUT, "partitions": partitions, "store": secrets.token_hex(16)}
    fields: tuple[Any, ...] = tuple(part for item in new.items() for part in item)
    reply = [part.decode() for part in await _META.run(client, (META,), others, *fields)]
    meta = dict(zip(reply[::2], reply[1::2], strict=True))
    if not meta:
        raise GateRefused(
            _URL, "this database of Redis holds other things: name one that is empty, or the log's"
        )
    if meta.get("layout") != str(LAYOUT):
        raise GateRefused(
            _URL, f"its log has layout {meta.get('layout')}, this release reads layout {LAYOUT}"
        )
    if meta["partitions"] != str(partitions):
        raise GateRefused(
            "HOMESTRETCH_PARTITIONS",
            f"it says {partitions}, but the log was made with {meta['partitions']}, for ever",
        )
    return meta
