"""Players' records in memory: the twin of the ones in Redis, for tests and play in process."""


class MemoryPlayerStore:
    """See service.players.PlayerStore."""

    def __init__(self) -> None:
        self._records: dict[str, bytes] = {}

    async def load(self, player: str) -> bytes | None:
        """See PlayerStore."""
        return self._records.get(player)

    async def swap(self, player: str, old: bytes | None, new: bytes) -> bool:
        """See PlayerStore."""
        if self._records.get(player) not in (old, new):
            return False
        self._records[player] = new
        return True
