"""Players and their tokens: the same over memory and real Redis, with a clock of the test."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.first_start import ensure_admin
from service.memory.players import MemoryPlayerStore
from service.player_records import digest_of
from service.players import ADMIN, ADMIN_ID, KEPT_SECONDS, Players, PlayerStore, PlayerUnknown
from service.redis.client import PoolCalls
from service.redis.players import RedisPlayerStore


class Clock:
    """Seconds since 1970, as a test tells them."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[PlayerStore]:
    """An empty store of each kind."""
    if request.param == "memory":
        yield MemoryPlayerStore()
        return
    calls = PoolCalls(request.getfixturevalue("redis_url"))
    yield RedisPlayerStore(calls)
    await calls.close()


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still until it is told otherwise."""
    return Clock()


@pytest.fixture
def players(store: PlayerStore, clock: Clock) -> Players:
    """The players of that store."""
    return Players(store, clock)


async def test_a_record_is_changed_only_by_who_knows_it(store: PlayerStore) -> None:
    assert await store.load("p1") is None
    assert await store.swap("p1", None, b"one")
    assert not await store.swap("p1", None, b"two")
    assert not await store.swap("p1", b"other", b"two")
    assert await store.swap("p1", b"one", b"two")
    assert await store.load("p1") == b"two"


async def test_of_many_who_change_a_record_at_once_one_does(store: PlayerStore) -> None:
    await store.swap("p1", None, b"0")
    told = await asyncio.gather(*(store.swap("p1", b"0", f"{n}".encode()) for n in range(1, 21)))
    assert sum(told) == 1


async def test_a_swap_whose_answer_was_lost_succeeds_again(store: PlayerStore) -> None:
    await store.swap("p1", None, b"one")
    await store.swap("p1", b"one", b"two")
    assert await store.swap("p1", b"one", b"two")


async def test_no_token_is_stored(players: Players, store: PlayerStore) -> None:
    player, token = await players.create("Ann")
    record = await store.load(player.id)
    assert record is not None
    assert token.encode() not in record
    assert token.rpartition("_")[2].encode() not in record
    assert digest_of(token).encode() in record


async def test_the_old_token_of_a_rotation_ends_after_an_hour_at_most(
    players: Players, clock: Clock
) -> None:
    _, old = await players.create("Ann")
    login = await players.login(old)
    assert login is not None
    new = await players.rotate(login)
    clock.seconds += 3599
    assert await players.login(old) is not None
    clock.seconds += 2
    assert await players.login(old) is None
    assert await players.login(old, fresh=False) is None
    assert await players.login(new) is not None


async def test_rotating_again_does_not_lengthen_the_hour(players: Players, clock: Clock) -> None:
    _, old = await players.create("Ann")
    for _ in range(3):
        login = await players.login(old)
        assert login is not None
        await players.rotate(login)
        clock.seconds += 1500
    assert await players.login(old) is None


async def test_twins_that_use_a_new_token_at_once_all_get_in(players: Players) -> None:
    _, old = await players.create("Ann")
    login = await players.login(old)
    assert login is not None
    new = await players.rotate(login)
    assert all(await asyncio.gather(*(players.login(new) for _ in range(10))))
    assert await players.login(old) is None


async def test_a_kept_record_accepts_for_two_seconds_and_never_refuses(
    store: PlayerStore, clock: Clock
) -> None:
    here, there = Players(store, clock), Players(store, clock)
    player, token = await here.create("Ann")
    assert await here.login(token) is not None
    new = await there.reissue(player.id)
    assert await here.login(new, fresh=False) is not None
    assert await here.login(token, fresh=False) is None
    await there.revoke(player.id)
    assert await here.login(new, fresh=False) is not None
    assert KEPT_SECONDS < 5
    assert await here.login(new) is None


async def test_what_is_changed_here_is_known_here_at_once(players: Players) -> None:
    player, token = await players.create("Ann")
    assert await players.login(token, fresh=False) is not None
    await players.set_roles(player.id, ("player", "organiser"))
    login = await players.login(token, fresh=False)
    assert login is not None
    assert login.player.has("organiser")
    await players.revoke(player.id)
    assert await players.login(token, fresh=False) is None


async def test_a_player_that_is_not_there_has_nothing(players: Players) -> None:
    assert await players.login("hs_p0123456789abcdef_x") is None
    assert await players.login("x") is None
    for call in (players.get("p1"), players.reissue("p1"), players.revoke("p1")):
        with pytest.raises(PlayerUnknown):
            await call


# ---------------------------------------------------------------------- the player admin


async def test_the_first_start_writes_a_token_for_its_owner_alone(
    players: Players, tmp_path: Path
) -> None:
    path = await ensure_admin(players, None, tmp_path)
    assert path == tmp_path / "admin-token"
    assert path.stat().st_mode & 0o777 == 0o600
    login = await players.login(path.read_text().strip())
    assert login is not None
    assert (login.player.id, login.player.has(ADMIN)) == (ADMIN_ID, True)
    assert await ensure_admin(players, None, tmp_path) is None
    assert [entry.name for entry in tmp_path.iterdir()] == ["admin-token"]


async def test_several_processes_start_for_the_first_time_with_one_token(
    store: PlayerStore, tmp_path: Path
) -> None:
    starts = [ensure_admin(Players(store), None, tmp_path) for _ in range(5)]
    await asyncio.gather(*starts)
    assert await Players(store).login((tmp_path / "admin-token").read_text().strip()) is not None


async def test_a_start_that_ended_before_the_token_counted_is_taken_up(
    players: Players, tmp_path: Path
) -> None:
    (tmp_path / "admin-token").write_text("hs_admin_written-before-the-crash\n")
    await ensure_admin(players, None, tmp_path)
    assert await players.login("hs_admin_written-before-the-crash") is not None


async def test_a_configured_token_is_the_admins_whatever_its_form(
    players: Players, tmp_path: Path
) -> None:
    for token in ("plain", "hs_p0123456789abcdef_x", "hs_admin_y"):
        assert await ensure_admin(players, token, tmp_path) is None
        login = await players.login(token)
        assert login is not None, token
        assert login.player.id == ADMIN_ID
    assert await players.login("plain") is None
    assert list(tmp_path.iterdir()) == []


async def test_a_configured_token_that_was_rotated_is_not_brought_back_by_a_start(
    players: Players, tmp_path: Path
) -> None:
    await ensure_admin(players, "configured", tmp_path)
    login = await players.login("configured")
    assert login is not None
    new = await players.rotate(login)
    assert await players.login(new) is not None
    await ensure_admin(players, "configured", tmp_path)
    assert await players.login("configured") is None
    assert await players.login(new) is not None
    await ensure_admin(players, "another", tmp_path)
    assert await players.login("another") is not None
    assert await players.login(new) is None
