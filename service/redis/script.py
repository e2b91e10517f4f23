"""Lua scripts of this folder, run by their hash."""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any

from service.redis.client import Calls, Part, Refused


class Script:
    """One script; `name` is that of its file."""

    def __init__(self, name: str) -> None:
        self.text = files(__package__).joinpath(name).read_text("utf-8")
        self._sha = sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    async def run(self, calls: Calls, keys: Sequence[str], *args: Part) -> Any:
        """Its answer. Where Redis does not know it (new, restarted, flushed) the text is sent.

        Raises:
            Refused, Unreachable.
        """
        try:
            return await calls.call("EVALSHA", self._sha, len(keys), *keys, *args)
        except Refused as refusal:
            if refusal.code != "NOSCRIPT":
                raise
        return await calls.call("EVAL", self.text, len(keys), *keys, *args)
