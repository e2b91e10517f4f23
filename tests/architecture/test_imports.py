"""Who may use whom: pyproject's import contracts hold, and the rules need msgspec alone."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[2]

ALONE = """
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {"domain", "msgspec"} and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is not there")

sys.meta_path.insert(0, Nothing())
import domain.registry
import domain.verification
from domain.registry import GAMES
assert GAMES
heavy = {"asyncio", "socket", "logging", "random", "secrets"} & set(sys.modules)
assert not heavy, heavy
"""


def test_the_import_contracts_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Design, Laws: layers of the whole, of the domain, of each game; what is pure."""
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True, no_logo=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_the_rules_can_be_imported_with_nothing_but_msgspec() -> None:
    """Design, Laws: anyone can simulate without a server."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


SPOKEN = {
    "redis": ("service/redis/",),
    "rq": ("service/jobs/",),
    "litestar": ("service/http/",),
    "structlog": ("service/logs.py",),
    "openskill": ("projections/ratings.py",),
    "rich": ("service/terminal/", "service/commands/"),
    "uvicorn": ("service/parts.py", "service/http/protocol.py"),
}
"""Each library and where alone it is imported."""


@pytest.mark.parametrize(("library", "places"), SPOKEN.items())
def test_a_library_is_spoken_in_its_own_place_alone(library: str, places: tuple[str, ...]) -> None:
    """Design, Layout"""
    importing = re.compile(rf"^\s*(from|import) {library}\b", re.MULTILINE)
    found = [
        path.relative_to(ROOT).as_posix()
        for folder in ("domain", "projections", "service")
        for path in (ROOT / folder).rglob("*.py")
        if importing.search(path.read_text())
    ]
    assert found, f"{library} is not used at all"
    assert [path for path in found if not path.startswith(places)] == []
