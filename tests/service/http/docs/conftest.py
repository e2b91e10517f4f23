"""A whole server, as `homestretch up` starts it, for guides and browser."""

import re
import signal
from collections.abc import Iterator

import pytest

from tests.kit.programs import Program


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Host and port of a server with all its parts."""
    env = {"HOMESTRETCH_DATA": str(tmp_path_factory.mktemp("guides")), "HOMESTRETCH_PORT": "0"}
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
