"""A real Redis Cluster for tests: three masters on loopback ports, from the same redis-server."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from redis import RedisCluster
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import RedisError

from tests.kit.redis_server import RedisServer

NODE_TIMEOUT = 3000
"""Milliseconds of silence after which the others take a master for dead."""

JOIN_SECONDS = 60.0


class Cluster:
    """Masters that share all slots. It offers what a RedisServer offers, so that tests made for one
    server run on it unchanged.

    Args:
        folder: where they keep their files.
        settings: of each, besides those of a RedisServer.
        port: taken and ignored: they always listen on ports.
    """

    def __init__(
        self,
        folder: Path,
        *,
        masters: int = 3,
        fsync: str = "everysec",
        settings: dict[str, str] | None = None,
        port: bool = True,
    ) -> None:
        own = {
            "cluster-enabled": "yes",
            "cluster-config-file": "nodes.conf",
            "cluster-node-timeout": str(NODE_TIMEOUT),
            **(settings or {}),
        }
        self.nodes = [
            RedisServer(folder / f"node-{number}", fsync=fsync, port=True, settings=own)
            for number in range(1, masters + 1)
        ]
        self._joined = False

    def announce(self, ports: Sequence[int]) -> None:
        """Let the nodes, before they start, tell clients to come to these ports instead."""
        for node, told in zip(self.nodes, ports, strict=True):
            node.settings |= {
                "cluster-announce-port": str(told),
                "cluster-announce-bus-port": str(node.port + 10_000),
            }

    @property
    def url(self) -> str:
        """All of it, from the first two nodes on."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{n.port}" for n in self.nodes[:2])

    @property
    def tcp_url(self) -> str:
        """The same: it is reached through ports alone."""
        return self.url

    def start(self) -> "Cluster":
        """Start the nodes, join them, and wait until each knows which has what."""
        for node in self.nodes:
            node.start()
        if not self._joined:
            self._join()
            self._joined = True
        self.await_whole()
        return self

    def _join(self) -> None:
        share = REDIS_CLUSTER_HASH_SLOTS / len(self.nodes)
        for number, node in enumerate(self.nodes):
            with node.client() as client:
                slots = range(round(number * share), round((number + 1) * share))
                client.execute_command("CLUSTER ADDSLOTS", *slots)
                client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        with self.nodes[0].client() as first:
            for node in self.nodes[1:]:
                bus = node.port + 10_000
                first.execute_command("CLUSTER MEET", "127.0.0.1", node.port, bus)

    def await_whole(self) -> None:
        """Wait until all nodes say that every slot is served, and by whom alike."""
        until = time.monotonic() + JOIN_SECONDS
        while not self._is_whole():
            assert time.monotonic() < until, "the Cluster did not become whole"
            time.sleep(0.02)

    def _is_whole(self) -> bool:
        told = set()
        for node in self.nodes:
            with node.client() as client:
                try:
                    info = client.execute_command("CLUSTER INFO")
                    slots = client.execute_command("CLUSTER SLOTS")
                except RedisError:
                    return False
            if info["cluster_state"] != "ok" or info["cluster_known_nodes"] != str(len(self.nodes)):
                return False
            told.add(repr(sorted((*span, master[1]) for *span, master in slots)))
        return len(told) == 1

    def flush(self) -> None:
        """Empty all nodes."""
        for node in self.nodes:
            with node.client() as client:
                client.flushall()

    def client(self) -> "RedisCluster":
        """A plain synchronous client of all of it; close it, or use it in a `with`."""
        return RedisCluster(host="127.0.0.1", port=self.nodes[0].port)

    def owner(self, key: str) -> RedisServer:
        """The node that has a key."""
        return self.owner_of(key_slot(key.encode()))

    def owner_of(self, slot: int) -> RedisServer:
        """The node that has a slot."""
        with self.nodes[0].client() as client:
            slots = client.execute_command("CLUSTER SLOTS")
        for first, last, master in slots:
            if first <= slot <= last:
                return next(node for node in self.nodes if str(master[1]) in _ports(node))
        raise LookupError(slot)

    def move(self, slot: int, source: RedisServer, target: RedisServer, keys: int = 10) -> int:
        """Move a slot with its keys, as `redis-cli --cluster reshard` does; how many keys."""
        moved = 0
        taker = self.begin_move(slot, source, target)
        with source.client() as old, target.client() as new:
            ask = ("CLUSTER GETKEYSINSLOT", slot, keys)
            while names := cast(list[Any], old.execute_command(*ask)):
                old.migrate("127.0.0.1", target.port, names, 0, 5000)
                moved += len(names)
            new.execute_command("CLUSTER SETSLOT", slot, "NODE", taker)
            old.execute_command("CLUSTER SETSLOT", slot, "NODE", taker)
        return moved

    def begin_move(self, slot: int, source: RedisServer, target: RedisServer) -> str:
        """Tell both that a slot is to move, and move nothing yet; the id of the target."""
        with source.client() as old, target.client() as new:
            giver, taker = (one.execute_command("CLUSTER MYID").decode() for one in (old, new))
            new.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", giver)
            old.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", taker)
        return str(taker)

    def settle(self) -> None:
        """Wait until all that the nodes answered is in their files."""
        for node in self.nodes:
            node.settle()

    def kill(self) -> None:
        """End all nodes without a chance to write anything (kill -9)."""
        for node in self.nodes:
            node.kill()

    def restart(self) -> None:
        """Kill all nodes once they have written all, and start them again on what they left."""
        self.settle()
        self.kill()
        self.start()

    def signal(self, number: int) -> None:
        """Send all nodes a signal."""
        for node in self.nodes:
            node.signal(number)

    def stop(self) -> None:
        """End all nodes cleanly."""
        for node in self.nodes:
            node.stop()


def _ports(node: RedisServer) -> tuple[str, str]:
    return str(node.port), node.settings.get("cluster-announce-port", "")
