"""Every benchmark runs for a moment, so that none rots; how fast anything is stays out of tests."""

import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import PARTS, measure
from tests.bench.measuring import MISS, OK, TOLD, UNSTEADY
from tests.kit.tools import need

PYTHON = Path(sys.prefix) / "peers" / "bin" / "python"
NODE = Path(__file__).parent / "peers" / "node_modules"
PEERS: dict[str, tuple[Path, ...]] = {"row5": (PYTHON,), "row6": (PYTHON, NODE)}
"""What `run bench` installs for some parts."""

MOMENT = 0.02


@pytest.mark.long
@pytest.mark.parametrize("name", PARTS)
def test_a_benchmark_measures_what_it_promises(name: str) -> None:
    there = all(path.exists() for path in PEERS.get(name, ()))
    need(there, "the peers are not installed: make bench does it (it needs Node)")
    for prepare in PARTS[name]:
        results = measure(prepare, MOMENT, 1)
        assert results
        for result in results:
            assert result.ours > 0
            assert result.floor > 0
            assert result.verdict in {OK, MISS, UNSTEADY, TOLD}
