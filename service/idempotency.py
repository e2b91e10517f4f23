"""What makes a call the same call."""

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec import UNSET, Struct

from domain.kernel.message import SERVER, Event
from service.ports import KEY_SECONDS, RETRY_SECONDS


class Key(Struct, frozen=True, kw_only=True):
    """What makes a call the same call: its id, what it asked, and how long that is known."""

    command_id: str
    fingerprint: str
    seconds: int = RETRY_SECONDS

    @staticmethod
    def of_caller(player: str, path: str, key: str, body: bytes) -> "Key":
        """The key of an `Idempotency-Key` header: same player, path and key, same call.

        Args:
            player: who calls.
            path: the path of the call.
            key: the header's value.
            body: the body as decoded, in canonical form.
        """
        text = "\0".join((player, path, key)).encode()
        return Key(
            command_id=hashlib.sha256(text).hexdigest()[:32],
            fingerprint=hashlib.sha256(body).hexdigest()[:32],
            seconds=KEY_SECONDS,
        )


def giver_of(events: Sequence[Event]) -> int:
    """The seat that gave the command of these events; 0: the system."""
    for event in events:
        if event.command is not UNSET:
            return 0 if event.seat is UNSET else event.seat
        for viewer, own in ({} if event.private is UNSET else event.private).items():
            if viewer != SERVER and "command" in own:
                return int(viewer)
    raise AssertionError("the first event of a command carries it")


def opens_alike(kept: Event, asked: Event, *, seeded: bool) -> bool:
    """Whether the same call opened both meetings.

    Args:
        kept, asked: their first events.
        seeded: whether the call named the seed; else chance did.
    """
    fields = ["game", "name", "options", "seats", "host", "start", "arranged"]
    if seeded:
        fields.append("commitment")
    one, two = (msgspec.to_builtins(event) for event in (kept, asked))
    draws = [event["private"][SERVER].get("arranged") for event in (one, two)]
    return all(one[name] == two[name] for name in fields) and draws[0] == draws[1]
