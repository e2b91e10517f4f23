"""The log as text: canonical lines and their hash chain (contract, Log)."""

from hashlib import sha256
from typing import Any

import msgspec

from domain.kernel.message import SERVER, Event

GENESIS = "0" * 64
_HASH_FIELD = b',"hash":"'
_TAIL = len(_HASH_FIELD) + 64 + 2  # …,"hash":"<64 hex>"}
_encoder = msgspec.json.Encoder(order="sorted")


def canonical(event: Event | dict[str, Any]) -> bytes:
    """The RFC 8785 form of an event without its hash.

    Sorted keys are RFC 8785 only while all keys are ASCII, whole numbers are ints and the only
    floats are odds in tenths; tests hold that against the rfc8785 package.
    """
    return _encoder.encode(event)


def chain(previous: str, body: bytes) -> str:
    """The hash of a line: over the previous line's hash as hex text and this canonical form."""
    return sha256(previous.encode() + body).hexdigest()


def join(body: bytes, digest: str) -> bytes:
    """A line of the log: the canonical form with `hash` before its last brace."""
    return body[:-1] + _HASH_FIELD + digest.encode() + b'"}'


def split(line: bytes) -> tuple[bytes, str]:
    """The canonical form and the hash of a line, by bytes as they stand.

    Raises:
        ValueError: the line does not end as a line of the log does.
    """
    cut = len(line) - _TAIL
    if cut < 1 or line[cut : cut + len(_HASH_FIELD)] != _HASH_FIELD or line[-2:] != b'"}':
        raise ValueError("the line does not end in its hash")
    digest = line[cut + len(_HASH_FIELD) : -2].decode("ascii", "replace")
    return line[:cut] + b"}", digest


def redact(event: Event, viewer: int) -> Event | None:
    """What this viewer (0: the public) may know of an event: same type, fewer secrets.

    None where it may not know that there was one. Only what is public or the viewer's own is
    copied, so a field that a later release adds stays hidden until it is placed.
    """
    if event.audience != "public" and viewer not in event.audience:
        return None
    if event.private is msgspec.UNSET:
        return event
    own = event.private.get(str(viewer)) if viewer else None
    private = {str(viewer): own} if own is not None else msgspec.UNSET
    return msgspec.structs.replace(event, private=private)


def wire(event: Event, viewer: int, version: int, digest: str | None = None) -> dict[str, Any]:
    """A redacted event as a feed shows it: the viewer's number, its own secrets merged in.

    Args:
        event: as `redact` left it for this viewer.
        viewer: a seat, or 0 for the public.
        version: the event's number in this viewer's feed.
        digest: the line's hash, given for `race_closed` and the last event alone.
    """
    form: dict[str, Any] = {"version": version}
    form.update(msgspec.to_builtins(event))
    private = form.pop("private", None)
    del form["seq"], form["audience"]
    if private is not None:
        assert SERVER not in private, "wire takes redacted events only"
        form.update(private.get(str(viewer), {}))
    if digest is not None:
        form["hash"] = digest
    return form
