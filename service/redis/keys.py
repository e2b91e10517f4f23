"""Where things stand in Redis: the names of all keys of the log.

All keys of a partition share one hash tag, {p00}, {p01} …, so that a script may touch them on a
cluster as well. LAYOUT numbers the form of keys and values; a store of another is refused.

    es:{cfg}:meta              hash    layout, partitions and the store's own id
    es:{pNN}:log:<meeting>     stream  id <version>-0; d the canonical line without its hash, h the
                                       hash (32 bytes); the first of a command also c, its id
    es:{pNN}:head:<meeting>    hash    v the last version, h the last hash (32 bytes), a where the
                                       log stands in the archive and no longer in Redis
    es:{pNN}:key:<meeting>:<command id>
                               string  fingerprint|first|last, until it expires
    es:{pNN}:feed              stream  id <position>-0, one entry a command: m the meeting, v its
                                       first version, n how many events
    es:{pNN}:snap:<meeting>    string  version|hash|form|payload
    es:{pNN}:passed            string  up to where the archive has looked at the feed
    es:{pNN}:pieces            list    pieces of the feed that stand in the archive and no longer in
                                       Redis, in order: last position|SHA-256 (32 bytes)
    es:{cfg}:damaged           set     what could not be believed of the archive
"""

from service.ports import partition_of

LAYOUT = 1
META = "es:{cfg}:meta"
UNBELIEVED = "es:{cfg}:damaged"


class Keys:
    """The keys of a log of so many partitions."""

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self._stems = [f"es:{{p{number:02d}}}:" for number in range(partitions)]
        self.feeds = [stem + "feed" for stem in self._stems]

    def _stem(self, meeting: str) -> str:
        return self._stems[partition_of(meeting, self.partitions)]

    def log(self, meeting: str) -> str:
        """The stream of a meeting's events."""
        return f"{self._stem(meeting)}log:{meeting}"

    def head(self, meeting: str) -> str:
        """Where that stream ends."""
        return f"{self._stem(meeting)}head:{meeting}"

    def key(self, meeting: str, command_id: str) -> str:
        """What a command id stored."""
        return f"{self._stem(meeting)}key:{meeting}:{command_id}"

    def snapshot(self, meeting: str) -> str:
        """The folded state of a meeting."""
        return f"{self._stem(meeting)}snap:{meeting}"

    def passed(self, partition: int) -> str:
        """Up to where the archive has looked at a feed."""
        return f"{self._stems[partition]}passed"

    def pieces(self, partition: int) -> str:
        """The pieces of a feed that stand in the archive."""
        return f"{self._stems[partition]}pieces"

    def append(self, meeting: str, command_id: str) -> tuple[str, str, str, str]:
        """The keys of the append script: log, head, key, feed."""
        number = partition_of(meeting, self.partitions)
        stem = self._stems[number]
        return (
            f"{stem}log:{meeting}",
            f"{stem}head:{meeting}",
            f"{stem}key:{meeting}:{command_id}",
            self.feeds[number],
        )
