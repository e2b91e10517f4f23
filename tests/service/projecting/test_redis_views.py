"""What only the views in Redis can get wrong."""

from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from projections.lobby import LOBBY
from projections.projection import Change
from service.ports import LogUnavailable
from service.ports_views import Applied, Batch
from service.projecting import Projector
from service.redis.views import LINGER_SECONDS
from service.tending import Tending
from tests.kit.histories import mingle, season
from tests.kit.redis_server import RedisServer
from tests.service.projecting.conftest import Store, open_store


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Redis]:
    """A look at the keys."""
    with redis_server.client() as client:
        yield client


def keys(client: Redis, pattern: str) -> list[str]:
    found = client.keys(pattern)
    assert isinstance(found, list)
    return [key.decode() for key in found if isinstance(key, bytes)]


async def test_all_keys_of_a_view_share_one_hash_tag(redis_store: Store, client: Redis) -> None:
    await mingle(redis_store[0], season(1, meetings=5), seed=1)
    await Projector(*redis_store, [LOBBY]).catch_up()
    tags = {key.split("{")[1].split("}")[0] for key in keys(client, "es:*lobby*")}
    assert tags == {"view:lobby"}


async def test_a_generation_that_was_left_vanishes_after_a_while(
    redis_store: Store, client: Redis
) -> None:
    log, views = redis_store
    await mingle(log, season(2, meetings=5), seed=2)
    projector = Projector(log, views, [LOBBY])
    await projector.catch_up()
    old = await views.live("lobby")
    await Tending(log, views, [LOBBY]).rebuild("lobby")
    await projector.catch_up()  # switches
    await projector.catch_up()  # tidies up
    left = keys(client, f"es:*lobby*:g{old}:*")
    assert left
    for key in left:
        seconds = client.ttl(key)
        assert isinstance(seconds, int)
        assert 0 < seconds <= LINGER_SECONDS, key
    live = await views.live("lobby")
    assert all(client.ttl(key) == -1 for key in keys(client, f"es:*lobby*:g{live}:*"))
    assert (await views.state("lobby")).left == ()


@pytest.mark.parametrize("removal", [True, False])
async def test_a_full_redis_takes_the_whole_batch_or_nothing(
    make_redis: Callable[..., RedisServer], removal: bool
) -> None:
    server = make_redis()
    async with open_store(server.url) as (_, views):
        g = await views.begin("v", "1", None)
        assert g is not None
        first = Change(id="a", body=b"x", add=(("all", "1|a"),))
        await views.apply("v", g, Batch(partition=0, first=1, last=1, changes=(first,)))
        change = Change(id="a", body=None if removal else b"y", drop=(("all", "1|a"),))
        batch = Batch(partition=0, first=2, last=2, changes=(change,))
        with server.client() as client:
            client.config_set("maxmemory", "1kb")
            before = await views.contents("v", g)
            with pytest.raises(LogUnavailable):
                await views.apply("v", g, batch)
            assert await views.contents("v", g) == before
            assert (await views.progress("v", g)).positions[0] == 1
            client.config_set("maxmemory", "0")
        assert await views.apply("v", g, batch) is Applied.APPLIED
        assert (await views.contents("v", g)).indexes == {}


async def test_scripts_that_redis_forgot_are_sent_again(redis_store: Store, client: Redis) -> None:
    _, views = redis_store
    g = await views.begin("v", "1", None)
    assert g is not None
    client.script_flush()
    assert await views.apply("v", g, Batch(partition=0, first=1, last=1)) is Applied.APPLIED


async def test_a_redis_that_is_away_is_told_as_such(
    make_redis: Callable[..., RedisServer],
) -> None:
    server = make_redis()
    async with open_store(server.url) as (_, views):
        server.kill()
        with pytest.raises(LogUnavailable):
            await views.live("v")
        with pytest.raises(LogUnavailable):
            await views.apply("v", 1, Batch(partition=0, first=1, last=1))
