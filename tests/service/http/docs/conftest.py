"""A whole server, as `homestretch up` starts it, for guides and browser."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.programs import Program


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's data folder."""
    return tmp_path_factory.mktemp("guides")


@pytest.fixture(scope="session")
def address(data: Path) -> Iterator[str]:
    """Host and port of a server with all its parts."""
    env = {"HOMESTRETCH_DATA": str(data), "HOMESTRETCH_PORT": "0"}
    program = Program(["-m", "service.cli", "up"], env=env)
    try:
        program.line("homestretch is ready.")
        found = re.search(r"http://([\d.:]+)", program.line("  server  "))
        assert found is not None
        yield found[1]
        program.send(signal.SIGTERM)
        assert program.code() == 0, program.output
    finally:
        program.close()
