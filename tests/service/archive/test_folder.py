"""Files of the archive: written whole, read back, and believed only where every hash is right."""

import gzip
import os
import random
from pathlib import Path

import pytest

from domain.kernel.lines import split
from service.archive.content import Damaged, Foreign
from service.archive.files import STALE_SECONDS, sweep
from service.archive.folder import Folder
from service.ports import FeedEntry, Head, Line, LogUnavailable
from tests.kit.archiving import files, played

STORY = played("m0000000000000001")
LINES = [Line(seq, *split(line[:-1])) for seq, line in enumerate(STORY.lines(), 1)]
HEAD = Head(LINES[-1].version, LINES[-1].digest)
MEETING = STORY.full.id


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """An archive of the store `s`, where it was marked as such."""
    made = Folder(tmp_path / "archive", "s")
    assert made.mark("t")
    return made


def path_of(folder: Folder) -> Path:
    """The one log that is there."""
    (found,) = (folder.path / "meetings").rglob("*.ndjson.gz")
    return found


async def test_a_log_comes_back_as_it_went_and_the_file_is_the_export(folder: Folder) -> None:
    await folder.put_log(MEETING, LINES)
    assert await folder.log(MEETING, HEAD) == LINES
    assert gzip.decompress(path_of(folder).read_bytes()) == b"".join(STORY.lines())


async def test_a_log_written_twice_by_two_movers_is_one_file_of_the_same_bytes(
    folder: Folder, tmp_path: Path
) -> None:
    await folder.put_log(MEETING, LINES)
    before = files(folder.path)
    await Folder(folder.path, "s").put_log(MEETING, LINES)
    assert files(folder.path) == before
    other = Folder(tmp_path / "elsewhere", "s")
    other.mark("t")
    await other.put_log(MEETING, LINES)
    assert files(other.path) == before


async def test_a_file_changed_in_any_way_is_not_believed(folder: Folder) -> None:
    await folder.put_log(MEETING, LINES)
    path = path_of(folder)
    whole = path.read_bytes()
    content = gzip.decompress(whole)
    rows = content.splitlines(keepends=True)
    forged = [
        gzip.compress(text)
        for text in (
            b"",
            content[:-1],
            b"".join(rows[:-1]),
            b"".join(rows[1:]),
            content + rows[-1],
            b"".join([*rows[:5], rows[6], rows[5], *rows[7:]]),
            content.replace(b'"seat":1', b'"seat":2', 1),
            content.replace(HEAD.digest.encode(), b"0" * 64),
        )
    ]
    chooser = random.Random(5)
    cut = [whole[:size] for size in (0, 1, 10, len(whole) // 2, len(whole) - 1)]
    flipped = []
    for _ in range(40):
        data = bytearray(whole)
        data[chooser.randrange(10, len(data))] ^= 1 << chooser.randrange(8)
        flipped.append(bytes(data))
    for data in (*forged, *cut, *flipped):
        path.write_bytes(data)
        with pytest.raises(Damaged):
            await Folder(folder.path, "s").log(MEETING, HEAD)
    path.write_bytes(whole)
    assert await Folder(folder.path, "s").log(MEETING, HEAD) == LINES


async def test_a_damaged_file_is_written_anew_while_the_log_is_still_at_hand(
    folder: Folder,
) -> None:
    await folder.put_log(MEETING, LINES)
    path_of(folder).write_bytes(b"not what it was")
    await folder.put_log(MEETING, LINES)
    assert await Folder(folder.path, "s").log(MEETING, HEAD) == LINES


async def test_two_histories_of_one_meeting_stand_side_by_side(folder: Folder) -> None:
    await folder.put_log(MEETING, LINES)
    await folder.put_log(MEETING, LINES[:9])
    assert await folder.log(MEETING, HEAD) == LINES
    assert await folder.log(MEETING, Head(9, LINES[8].digest)) == LINES[:9]


async def test_a_file_that_is_missing_is_damage_but_a_folder_that_is_not_ours_is_away(
    folder: Folder, tmp_path: Path
) -> None:
    with pytest.raises(Damaged, match="missing"):
        await folder.log(MEETING, HEAD)
    for store, path in (("s", tmp_path / "not mounted"), ("another", folder.path)):
        with pytest.raises(Foreign, match="mounted"):
            await Folder(path, store).log(MEETING, HEAD)
    path_of_log = folder._log_path(MEETING, HEAD)
    path_of_log.mkdir(parents=True)  # what can't be read is away, not damaged
    with pytest.raises(LogUnavailable):
        await folder.log(MEETING, HEAD)


async def test_a_piece_of_a_feed_comes_back_or_is_not_believed(folder: Folder) -> None:
    entries = [FeedEntry(3, position, f"m{position}", 1, 2) for position in range(11, 31)]
    digest = await folder.put_entries(entries)
    assert await Folder(folder.path, "s").entries(3, 11, 20, digest) == entries
    (path,) = (folder.path / "feeds").rglob("*.ndjson.gz")
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b"m12", b"m13")))
    with pytest.raises(Damaged):
        await Folder(folder.path, "s").entries(3, 11, 20, digest)


def test_only_drafts_whose_writers_are_long_gone_are_swept_away(folder: Folder) -> None:
    shelf = folder.path / "meetings" / "ab"
    shelf.mkdir(parents=True)
    young, old, whole = shelf / ".draft-1", shelf / ".draft-2", shelf / "m1.ndjson.gz"
    for path in (young, old, whole):
        path.write_bytes(b"x")
    for path in (old, whole):
        os.utime(path, (1, 1))
    assert sweep(folder.path) == 1
    assert [path.exists() for path in (young, old, whole)] == [True, False, True]
    assert STALE_SECONDS > 60


def test_a_folder_is_marked_once(folder: Folder) -> None:
    assert not folder.mark("another")
    assert folder.token() == "t"


@pytest.mark.parametrize("name", ["../m1", "m1/../../x", "", "m 1", "m" * 100])
async def test_no_name_leads_out_of_the_folder(folder: Folder, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        await folder.put_log(name, LINES)
