"""What all tests of the service start from."""

import pytest

from service.settings import TABLE


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine that runs the tests."""
    for row in TABLE:
        monkeypatch.delenv(row.variable, raising=False)
