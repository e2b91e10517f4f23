"""What makes a call the same call."""

import hashlib

from msgspec import Struct

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
