"""Which release of the server this is."""

from importlib.metadata import PackageNotFoundError, version


def _release() -> str:
    try:
        return version("homestretch")
    except PackageNotFoundError:
        return "source"


RELEASE = _release()
"""The installed version, or "source" where the code runs from a folder."""
