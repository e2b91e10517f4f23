"""The log in Redis promises what every log promises, on every redis-server there is."""

from collections.abc import Callable, Iterator

import pytest

from service.ports import EventLog
from service.redis.event_log import RedisEventLog
from tests.kit.redis_server import RedisServer, programs
from tests.service.log.contract import EventLogContract

PROGRAMS = programs()


@pytest.fixture(scope="module", params=sorted(PROGRAMS))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RedisServer]:
    """One Redis for this module."""
    redis = RedisServer(tmp_path_factory.mktemp("redis"), program=PROGRAMS[request.param])
    redis.start()
    yield redis
    redis.stop()


class TestRedisEventLog(EventLogContract):
    """The contract, in Redis."""

    @pytest.fixture
    def log(self, server: RedisServer, open_log: Callable[..., RedisEventLog]) -> EventLog:
        with server.client() as client:
            client.flushall()
        return open_log(server.url)
