"""Fixtures that many tests share."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

pytest.register_assert_rewrite("tests.kit", "tests.service.log.contract")

from tests.kit import answers  # noqa: E402 - its assertions are rewritten too
from tests.kit.programs import MODULES  # noqa: E402 - likewise
from tests.kit.redis_server import RedisServer  # noqa: E402 - likewise


@pytest.fixture(scope="session", autouse=True)
def undeclared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[answers.Faults]:
    """What servers that tests of this process started answered against the OpenAPI document."""
    folder = tmp_path_factory.mktemp("answers")
    with pytest.MonkeyPatch.context() as patch:
        answers.watch(patch.setattr)
        patch.setenv(answers.FOLDER, str(folder))
        patch.setenv("PYTHONPATH", MODULES, prepend=os.pathsep)
        faults = answers.Faults(folder)
        yield faults
    if told := faults.fresh():  # of servers that ended after the last test
        pytest.fail(told, pytrace=False)


@pytest.fixture(autouse=True)
def every_answer_is_declared(undeclared: answers.Faults) -> Iterator[None]:
    """No caller of any test gets an answer that the OpenAPI document does not declare."""
    yield
    if told := undeclared.fresh():
        pytest.fail(told, pytrace=False)


@pytest.fixture(autouse=True)
def logging_stays_as_it_was() -> Iterator[None]:
    """A command that sets how lines are written, as it runs in a test, sets it there alone."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis for all tests that neither end nor configure it; take `redis_url` to use it."""
    server = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """An empty Redis (all its databases)."""
    with redis_server.client() as client:
        client.flushall()
    return redis_server.url


@pytest.fixture
def make_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., RedisServer]]:
    """Starts servers of the test's own, with RedisServer's options; they end with the test."""
    servers: list[RedisServer] = []

    def make(**options: Any) -> RedisServer:
        server = RedisServer(tmp_path_factory.mktemp("redis"), **options)
        servers.append(server)
        return server.start()

    yield make
    for server in servers:
        server.stop()
