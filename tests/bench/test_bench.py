"""Every benchmark runs for a moment, so that none rots; how fast anything is stays out of tests."""

import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import PARTS, measure
from tests.bench.measuring import MISS, OK, TOLD, UNSTEADY
from tests.kit.tools import need

PEERS_NEEDED = {"row5", "row6"}
MOMENT = 0.02


@pytest.mark.long
@pytest.mark.parametrize("name", PARTS)
def test_a_benchmark_measures_what_it_promises(name: str) -> None:
    if name in PEERS_NEEDED:
        peers = Path(sys.prefix) / "peers" / "bin" / "python"
        need(peers.exists(), "the peers are not installed: make bench does it")
    for prepare in PARTS[name]:
        results = measure(prepare, MOMENT, 1)
        assert results
        for result in results:
            assert result.ours > 0
            assert result.floor > 0
            assert result.verdict in {OK, MISS, UNSTEADY, TOLD}
