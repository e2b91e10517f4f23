"""Programs that some tests need and that are not on every machine."""

import os

import pytest

ALL = "TEST_ALL"
"""Where this variable is set no test may be left out for want of a program."""


def need(found: object, how: str) -> None:
    """Leave the test out, or fail it where every test is wanted.

    Args:
        found: what it needs, if that is there.
        how: what is missing, and how it is installed.
    """
    if found:
        return
    if os.environ.get(ALL):
        pytest.fail(f"{ALL} is set, and this test can't run: {how}")
    pytest.skip(how)
