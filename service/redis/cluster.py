"""Calls to a Redis Cluster: each goes to the master that has its keys, and follows them when they
move to another one.

Nothing is repeated here but what a node has refused unheard (it has the keys no more, or not yet).
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from redis.exceptions import AskError

from service.cluster_url import Address, nodes_of, url_of
from service.redis.client import Calls, First, Part, Refused, Unreachable
from service.redis.news import News
from service.redis.slots import slot_of

MOVING_SECONDS = 2.0
"""How long a call waits for keys that are on their way from one master to another."""

PAUSE_SECONDS = 0.05
"""Time between two tries meanwhile."""

LEARN_SECONDS = 0.5
"""Shortest time between two looks at which master has what that nobody waits for."""

_HOPS = 4
"""So often a call is sent on at once; then it pauses, for the nodes do not agree yet."""

_ELSEWHERE = ("MOVED", "ASK", "TRYAGAIN")
"""Answers of a node that did nothing, for it has the keys no more, not yet, or not all of them."""


class Node(Calls, Protocol):
    """Calls to one node."""

    async def call_asking(self, *parts: Part) -> Any:
        """A call about keys that are on their way to this node."""
        ...


class ClusterCalls:
    """`Calls` to all masters of a Cluster.

    An XREAD may name streams of several slots: see `service.redis.news`.

    Args:
        url: redis+cluster://user:password@host:port,host:port… or the same with rediss.
        open_node: makes the way to one node, from its URL.
    """

    def __init__(self, url: str, open_node: Callable[[str], Node]) -> None:
        self._url = url
        self._open_node = open_node
        self._seeds = nodes_of(url)
        self._nodes: dict[Address, Node] = {}
        self._owners: dict[int, Address] = {}
        self._learning: asyncio.Task[None] | None = None
        self._learnt = -LEARN_SECONDS
        self._first: First | None = None
        self._closed = False
        self._news = News(self._routed)

    async def call(self, *parts: Part) -> Any:
        """See `Calls`."""
        if parts[0] == "XREAD":
            return await self._news.read(parts)
        return await self._routed(*parts)

    def on_return(self, first: First) -> None:
        """Of each node."""
        self._first = first
        for node in self._nodes.values():
            node.on_return(first)

    async def servers(self) -> Sequence[Calls]:
        """All masters that have keys, as they are now."""
        await self._learn()
        return [self._node(address) for address in sorted(set(self._owners.values()))]

    async def close(self) -> None:
        """End all connections."""
        self._closed = True
        await self._news.close()
        if self._learning is not None:
            self._learning.cancel()
            await asyncio.wait([self._learning])
        await asyncio.gather(*(node.close() for node in self._nodes.values()))

    async def _routed(self, *parts: Part) -> Any:
        """The answer of the master that has the keys."""
        slot = slot_of(parts)
        loop = asyncio.get_running_loop()
        until = loop.time() + MOVING_SECONDS
        address, asking = await self._owner(slot), False
        hops = 0
        while True:
            node = self._node(address)
            try:
                return await (node.call_asking(*parts) if asking else node.call(*parts))
            except Unreachable:
                self._learn_soon()  # another may have taken its place
                raise
            except Refused as refusal:
                if refusal.code not in _ELSEWHERE or slot is None or loop.time() >= until:
                    raise
                asking = refusal.code == "ASK"
                if refusal.code == "TRYAGAIN":
                    await asyncio.sleep(PAUSE_SECONDS)
                    address = await self._owner(slot)
                else:
                    address = _place(refusal, address)
            if not asking:
                self._owners[slot] = address
                self._learn_soon()
            hops += 1
            if hops > _HOPS:
                await asyncio.sleep(PAUSE_SECONDS)

    async def _owner(self, slot: int | None) -> Address:
        """The master that has a slot, or any."""
        if slot not in self._owners and (slot is not None or not self._owners):
            await self._learn()
        if slot is not None and slot not in self._owners:
            raise Refused("CLUSTERDOWN no master has this slot")
        return self._owners[slot] if slot is not None else next(iter(self._owners.values()))

    def _node(self, address: Address) -> Node:
        if self._closed:
            raise Unreachable("the connections to Redis were closed", sent=False)
        if address not in self._nodes:
            node = self._nodes[address] = self._open_node(url_of(self._url, address))
            if self._first is not None:
                node.on_return(self._first)
        return self._nodes[address]

    def _learn_soon(self) -> None:
        """Look which master has what, while nobody waits for it."""
        if asyncio.get_running_loop().time() >= self._learnt + LEARN_SECONDS:
            self._start_learning()

    async def _learn(self) -> None:
        """Learn which master has what; callers that need it at the same time share it."""
        # A caller that gives up must not end what others wait for.
        await asyncio.shield(self._start_learning())

    def _start_learning(self) -> "asyncio.Task[None]":
        if self._learning is None:
            self._learning = asyncio.create_task(self._look())
            self._learning.add_done_callback(self._learning_ended)
        return self._learning

    def _learning_ended(self, task: "asyncio.Task[None]") -> None:
        self._learning = None
        self._learnt = asyncio.get_running_loop().time()
        if not task.cancelled():
            task.exception()  # those who waited have it; nobody may have

    async def _look(self) -> None:
        lost: Refused | Unreachable = Unreachable("the Cluster has no masters", sent=False)
        for address in dict.fromkeys((*self._owners.values(), *self._seeds)):
            try:
                ranges = await self._node(address).call("CLUSTER", "SLOTS")
            except Refused as refusal:
                lost = refusal
            except Unreachable as away:
                lost = Unreachable(str(away), sent=False)  # what was asked changes nothing
            else:
                if ranges:
                    self._owners = _owners(ranges, address)
                    return
        raise lost


def _owners(ranges: Sequence[Any], asked: Address) -> dict[int, Address]:
    """The master of each slot, from what CLUSTER SLOTS answers."""
    found: dict[int, Address] = {}
    for first, last, master, *_ in ranges:
        host = (master[0] or b"").decode() or asked[0]  # none: the one that was asked
        found |= dict.fromkeys(range(first, last + 1), (host, int(master[1])))
    return found


def _place(refusal: Refused, asked: Address) -> Address:
    """Where a node says that the keys are."""
    told = AskError(str(refusal).partition(" ")[2])
    return told.host or asked[0], told.port
