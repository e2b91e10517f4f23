"""The archive's folder: what stands in it, and nothing of it is believed that does not add up.

    store                                           the store that it belongs to, and its own mark
    meetings/<2 hex>/<meeting>.<16 hex>.ndjson.gz   a log as it is exported; the name ends in the
                                               first digits of its last hash, so that two histories
                                               of one meeting never take each other's place
    feeds/p<NN>/<first>-<last>.<16 hex>.ndjson.gz   entries of a partition's feed, likewise

gzip is in every standard library and on every machine (`zcat FILE | homestretch verify -`), and its
bytes follow from the content: so a file written twice is the same file.
"""

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.lines import join
from service.archive.content import Damaged, Foreign, Missing, lines_of, unpack
from service.archive.files import read_from_disk, write_new, write_whole
from service.ports import FeedEntry, Head, Line, LogUnavailable

LEVEL = 6
KEPT_BYTES = 16 * 1024 * 1024
"""Content of files read last that is kept in memory, so that a page does not open them again."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
MARK = "store"
FOREIGN = "the folder of the archive is not that of this store: is it mounted, and shared?"


class Folder:
    """One archive. Its calls wait for the disk in a thread.

    Args:
        path: the folder; every process of the site must see the same one.
        store: the id of the log's store.
    """

    def __init__(self, path: Path, store: str) -> None:
        self.path = path
        self.store = store
        self._kept: OrderedDict[Path, tuple[int, Any]] = OrderedDict()
        self._kept_bytes = 0

    # ------------------------------------------------------------------ whose it is

    def token(self) -> str | None:
        """What tells this archive from every other of the store; None where it bears no mark.

        Raises:
            Foreign: it is another store's.
            OSError.
        """
        try:
            store, token = (self.path / MARK).read_text("ascii").split()
        except FileNotFoundError:
            return None
        except ValueError:
            store = token = ""
        if store != self.store:
            raise Foreign(FOREIGN)
        return token

    def mark(self, token: str) -> bool:
        """Make the folder this store's; False if somebody was faster.

        Raises:
            OSError.
        """
        return write_new(self.path / MARK, f"{self.store} {token}\n".encode())

    def unmark(self) -> None:
        """Take that back."""
        (self.path / MARK).unlink()

    # ------------------------------------------------------------------ meetings

    async def put_log(self, meeting: str, lines: Sequence[Line]) -> None:
        """Write the whole log of a meeting, and read it back from the disk.

        Raises:
            Damaged: what was read back is not what was written.
            OSError.
        """
        content = b"".join(join(line.body, line.digest) + b"\n" for line in lines)
        head = Head(lines[-1].version, lines[-1].digest)
        await asyncio.to_thread(self._put_log, meeting, head, content)

    def _put_log(self, meeting: str, head: Head, content: bytes) -> None:
        path = self._log_path(meeting, head)
        try:
            if unpack(meeting, read_from_disk(path)) == content:
                return  # an earlier mover was killed after this
        except (FileNotFoundError, Damaged):
            pass
        write_whole(path, gzip.compress(content, LEVEL, mtime=0))
        lines_of(meeting, unpack(meeting, read_from_disk(path)), head)

    async def log(self, meeting: str, head: Head) -> list[Line]:
        """The whole log of a meeting, of which this is the end; every hash is made anew.

        Raises:
            Damaged, Foreign, LogUnavailable.
        """
        path = self._log_path(meeting, head)
        known: list[Line] | None = self._known(path)
        if known is not None:
            return known
        lines, size = await asyncio.to_thread(self._log, path, meeting, head)
        self._keep(path, size, lines)
        return lines

    def _log(self, path: Path, meeting: str, head: Head) -> tuple[list[Line], int]:
        content = unpack(meeting, self._read(meeting, path))
        return lines_of(meeting, content, head), len(content)

    def _log_path(self, meeting: str, head: Head) -> Path:
        if not _NAME.fullmatch(meeting):
            raise ValueError("no name of a file")
        shelf = sha256(meeting.encode()).hexdigest()[:2]
        return self.path / "meetings" / shelf / f"{meeting}.{head.digest[:16]}.ndjson.gz"

    # ------------------------------------------------------------------ feeds

    async def put_entries(self, entries: Sequence[FeedEntry]) -> bytes:
        """Write a piece of one partition's feed, read it back from the disk; its SHA-256.

        Raises:
            Damaged, OSError.
        """
        content = b"".join(
            b"%s\n" % msgspec.json.encode([e.position, e.meeting, e.first, e.count])
            for e in entries
        )
        digest = sha256(content).digest()
        path = self._feed_path(entries[0].partition, entries[0].position, len(entries), digest)
        await asyncio.to_thread(_put_entries, path, content, digest)
        return digest

    async def entries(
        self, partition: int, first: int, count: int, digest: bytes
    ) -> list[FeedEntry]:
        """A piece of a feed, as `put_entries` wrote it.

        Raises:
            Damaged, Foreign, LogUnavailable.
        """
        path = self._feed_path(partition, first, count, digest)
        known: list[FeedEntry] | None = self._known(path)
        if known is not None:
            return known
        entries, size = await asyncio.to_thread(self._entries, path, partition, digest)
        self._keep(path, size, entries)
        return entries

    def _entries(self, path: Path, partition: int, digest: bytes) -> tuple[list[FeedEntry], int]:
        name = f"the feed of partition {partition}"
        content = unpack(name, self._read(name, path))
        if sha256(content).digest() != digest:
            raise Damaged(name, "does not have the hash that was noted")
        rows = [msgspec.json.decode(line) for line in content.splitlines()]
        return [FeedEntry(partition, at, m, of, n) for at, m, of, n in rows], len(content)

    def _feed_path(self, partition: int, first: int, count: int, digest: bytes) -> Path:
        span = f"{first:012d}-{first + count - 1:012d}"
        name = f"{span}.{digest.hex()[:16]}.ndjson.gz"
        return self.path / "feeds" / f"p{partition:02d}" / name

    # ------------------------------------------------------------------ reading

    def _read(self, name: str, path: Path) -> bytes:
        """The bytes of a file that must be there."""
        try:
            return path.read_bytes()
        except FileNotFoundError:
            pass
        except OSError as fault:
            raise LogUnavailable(f"the archive can't be read: {fault.strerror}") from fault
        try:
            ours = self.token()
        except OSError as fault:
            raise LogUnavailable(f"the archive can't be read: {fault.strerror}") from fault
        if ours is None:
            raise Foreign(FOREIGN)
        raise Missing(name)

    def _known(self, path: Path) -> Any:
        found = self._kept.get(path)
        if found is None:
            return None
        self._kept.move_to_end(path)
        return found[1]

    def _keep(self, path: Path, size: int, content: Any) -> None:
        if path in self._kept or size > KEPT_BYTES:
            return
        self._kept[path] = (size, content)
        self._kept_bytes += size
        while self._kept_bytes > KEPT_BYTES:
            _, (old, _) = self._kept.popitem(last=False)
            self._kept_bytes -= old


def _put_entries(path: Path, content: bytes, digest: bytes) -> None:
    name = path.parent.name
    write_whole(path, gzip.compress(content, LEVEL, mtime=0))
    if sha256(unpack(name, read_from_disk(path))).digest() != digest:
        raise Damaged(name, "was not written as it should be")
