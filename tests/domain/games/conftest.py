"""A server for the tests of a game that go over HTTP."""

from collections.abc import Iterator

import pytest

from tests.kit.face import Api
from tests.kit.redis_server import RedisServer


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """The Redis of these tests."""
    server = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def api(redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """An API process."""
    made = Api(redis.url, tmp_path_factory.mktemp("face"))
    yield made
    made.stop()
