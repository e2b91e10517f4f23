"""The queue's Redis as RQ takes it: a client that waits for its answers."""

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from service.redis.client import CALL_SECONDS, CONNECT_SECONDS, NAME

AWAY = (RedisError, OSError)
"""What calls of such a client raise when Redis refuses or is away."""


def waiting_client(url: str) -> "Redis":
    """A client for RQ's own book-keeping; RQ lengthens its time limit where it waits for jobs."""
    return Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=CALL_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        protocol=2,
        client_name=NAME,
    )
