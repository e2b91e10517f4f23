"""Two API processes on one Redis, for all tests of the HTTP face that leave both as they were."""

from collections.abc import Iterator

import pytest

from tests.kit.face import ADMIN, Api, Client
from tests.kit.redis_server import RedisServer


@pytest.fixture(scope="session")
def face_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """The Redis of both."""
    server = RedisServer(tmp_path_factory.mktemp("face-redis")).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def api(face_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """One API process, and a projector beside it."""
    made = Api(face_redis.url, tmp_path_factory.mktemp("face"))
    projector = made.projector()
    yield made
    projector.stop()
    made.stop()


@pytest.fixture(scope="session")
def other(face_redis: RedisServer, api: Api) -> Iterator[Api]:
    """Another API process on the same Redis."""
    made = Api(face_redis.url, api.data)
    yield made
    made.stop()


@pytest.fixture
def anybody(api: Api) -> Iterator[Client]:
    """A caller without a token."""
    with api.client() as client:
        yield client


@pytest.fixture
def admin(api: Api) -> Iterator[Client]:
    """The player `admin`."""
    with api.client(ADMIN) as client:
        yield client
