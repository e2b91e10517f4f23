"""What was shown of the log over one Redis holds over a Cluster: the same cases, unchanged."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from service.ports import EventLog
from service.redis import faults
from service.redis.event_log import RedisEventLog
from tests.faults.test_log_machine import explore
from tests.kit.log_lines import assert_stored_once, audit
from tests.kit.log_load import Load
from tests.kit.lossy_proxy import LossyProxy
from tests.kit.redis_cluster import Cluster
from tests.service.log.contract import EventLogContract
from tests.service.log.test_adapters_agree import (  # noqa: F401 - collected here
    test_both_adapters_answer_the_same,
)
from tests.service.log.test_redis_faults import (  # noqa: F401 - collected here
    MEETINGS,
    test_a_redis_killed_under_load_loses_nothing_acknowledged,
    test_a_redis_that_hangs_is_not_waited_for_long,
    test_a_refilled_history_is_not_taken_for_the_old_one,
    test_with_everysec_a_killed_redis_loses_at_most_what_a_busy_disk_held_back,
)
from tests.service.projecting.test_outages import (  # noqa: F401 - collected here
    test_a_projector_goes_on_when_redis_is_back,
    test_the_same_thirty_times,
)
from tests.service.projecting.test_redelivery import (  # noqa: F401 - collected here
    test_a_projector_that_dies_at_any_step_leaves_what_its_checkpoints_say,
    test_batches_told_again_late_and_out_of_order_change_nothing_twice,
)

OpenLog = Callable[..., RedisEventLog]


class TestClusterEventLog(EventLogContract):
    """The contract, over three masters."""

    @pytest.fixture
    def log(self, redis_url: str, open_log: OpenLog) -> EventLog:
        return open_log(redis_url)


def test_the_partitions_are_spread_over_all_masters(redis_server: Cluster) -> None:
    owners = {redis_server.owner(f"es:{{p{number:02d}}}:feed").port for number in range(16)}
    assert owners == {node.port for node in redis_server.nodes}


@pytest.mark.long
def test_the_log_is_what_a_dict_of_lists_would_be(
    make_redis: Callable[..., Cluster], tmp_path: Path
) -> None:
    explore(make_redis(fsync="always"), tmp_path, examples=60)


@pytest.fixture
def behind_proxies(tmp_path: Path) -> Iterator[Cluster]:
    """A Cluster that is not started yet."""
    cluster = Cluster(tmp_path / "cluster")
    yield cluster
    cluster.stop()


async def test_a_command_whose_answer_is_lost_is_stored_once(
    behind_proxies: Cluster, open_log: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each master is reached through a line that loses three answers of ten."""
    monkeypatch.setattr(faults, "AGAIN_AFTER", (0.005, 0.01))
    async with AsyncExitStack() as stack:
        proxies = [
            await stack.enter_async_context(LossyProxy(node.port, loss=0))
            for node in behind_proxies.nodes
        ]
        behind_proxies.announce([proxy.port for proxy in proxies])
        behind_proxies.start()
        url = f"redis+cluster://127.0.0.1:{proxies[0].port}"
        load = Load(open_log(url, seconds=0.3), MEETINGS)
        await load.write(writers=2, commands=2)
        for proxy in proxies:
            proxy.loss = 0.3
        await load.write(writers=6, commands=25)
        for proxy in proxies:
            proxy.loss = 0
        assert all(proxy.lost for proxy in proxies)
        logs = await audit(open_log(url), MEETINGS)
    assert len(load.done) == 154
    assert load.doubles
    assert sum(map(len, logs.values())) == sum(count for _, _, count in load.done.values())
    assert_stored_once(logs, load.done)
