"""What of a call decides which master of a Cluster it is for."""

from collections.abc import Sequence

from redis.crc import key_slot

from service.redis.client import Part

_SCRIPTS = ("EVAL", "EVALSHA")
_KEYLESS = ("CLUSTER", "CONFIG", "DBSIZE", "INFO", "PING", "SCRIPT", "TIME")


def slot_of(parts: Sequence[Part]) -> int | None:
    """The slot of the keys of a call; None where any node may answer.

    The keys of a script all stand in the slot of its first: Redis itself refuses others.
    """
    name = parts[0]
    if name in _KEYLESS:
        return None
    if name in _SCRIPTS:
        return _slot(parts[3]) if int(parts[2]) else None
    return _slot(parts[parts.index("STREAMS") + 1] if name == "XREAD" else parts[1])


def _slot(key: Part) -> int:
    raw = key if isinstance(key, bytes) else str(key).encode()
    return int(key_slot(raw))
