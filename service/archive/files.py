"""Files that are whole or not there: written beside their place, on disk before they are named.

A killed writer leaves a draft, which `sweep` takes away. Two writers of the same content harm
nobody: each renames its own whole draft to the same place.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

DRAFT = ".draft-"
"""How the names of files begin that are being written."""

FOR_ALL, FOR_OWNER = 0o666, 0o600
"""Who may read a file, as far as the process's umask lets them."""

STALE_SECONDS = 3600
"""A draft that has not grown for so long has lost its writer."""


def write_whole(path: Path, data: bytes, mode: int = FOR_ALL) -> None:
    """Put a file in its place: its content and its name are on disk when this returns.

    Raises:
        OSError: there is no such file now, or one as it was before.
    """
    with _drafted(path, data, mode) as draft:
        draft.replace(path)


def write_new(path: Path, data: bytes, mode: int = FOR_ALL) -> bool:
    """Likewise, unless there is a file: False then.

    Raises:
        OSError.
    """
    with _drafted(path, data, mode) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            return False
    return True


@contextmanager
def _drafted(path: Path, data: bytes, mode: int) -> Iterator[Path]:
    """A whole draft on disk beside its place; after it is named, the folder is on disk too."""
    _make_folder(path.parent)
    draft = path.with_name(f"{DRAFT}{uuid4().hex}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(path.parent)


def read_from_disk(path: Path) -> bytes:
    """The content as the disk has it, as far as the system can be told to look there again.

    Raises:
        OSError.
    """
    with path.open("rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return file.read()


def sweep(folder: Path) -> int:
    """Take away the drafts of writers that are gone; how many there were."""
    gone = 0
    for draft in folder.rglob(f"{DRAFT}*"):
        with suppress(FileNotFoundError):
            if draft.stat().st_mtime < time.time() - STALE_SECONDS:
                draft.unlink()
                gone += 1
    return gone


def _make_folder(folder: Path) -> None:
    """The folder, with those above it, all on disk."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o750, exist_ok=True)
    _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
