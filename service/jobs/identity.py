"""Command ids that follow from their cause, so that a cause delivered twice has one effect."""

import hashlib

from service.handling import Key


def derived_key(work: str, meeting: str, *cause: str | int) -> Key:
    """The key of what this work does in a meeting for this cause.

    What is then done may be another thing each time (a bot draws): the first one stored counts, so
    the fingerprint says no more than the id.
    """
    text = "\0".join((work, meeting, *map(str, cause)))
    return Key(command_id=hashlib.sha256(text.encode()).hexdigest()[:32], fingerprint=work)
