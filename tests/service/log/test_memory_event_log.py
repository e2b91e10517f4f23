"""The log in memory promises what every log promises."""

import pytest

from service.memory.event_log import MemoryEventLog
from service.ports import EventLog
from tests.service.log.contract import EventLogContract


class TestMemoryEventLog(EventLogContract):
    """The contract, in memory."""

    @pytest.fixture
    def log(self) -> EventLog:
        return MemoryEventLog()
