"""Every setting of the server: this record is the table that the start reads and shows.

What makes no sense stops the start and names the variable; so does a HOMESTRETCH_ variable that is
no setting, since a misspelt one would else be a default without a word.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct, structs

from service.cluster_url import is_cluster
from service.environment import PREFIX, SettingError, read, rows, setting

__all__ = ["TABLE", "SettingError", "Settings", "local_url", "read_settings"]

PORT_MAX = 65_535
_REDIS = ("redis", "rediss", "unix")
_REDIS_FORM = "a URL like redis://host:6379/0, rediss://host or unix:///folder/redis.sock"
_LOG_FORM = f"{_REDIS_FORM}; of a Cluster redis+cluster://host:6379,host:6379"
_TOKEN_FORM = "1 to 255 visible ASCII characters"
_TOKEN = r"\A[\x21-\x7e]{1,255}\Z"


class Settings(Struct, frozen=True, kw_only=True):
    """One way to run the server; `read_settings` makes it, tests may build it themselves."""

    # Where it listens
    host: Annotated[
        str,
        setting("Address to listen on.", form="an address or a host name", pattern=r"\A[\w.:-]+\Z"),
    ] = "127.0.0.1"
    port: Annotated[int, setting("TCP port; 0 takes a free one.", ge=0, le=PORT_MAX)] = 8080
    api_processes: Annotated[
        int, setting("API processes that share the port.", "processes", ge=1, le=256)
    ] = 1
    trusted_proxies: Annotated[
        tuple[str, ...],
        setting(
            "Proxies whose X-Forwarded-For is believed.",
            form="addresses or networks like 10.0.0.0/8, with commas between",
        ),
    ] = ()
    metrics_port: Annotated[
        int,
        setting(
            "First of the loopback ports, one for each API process, that tell metrics without a "
            "token; 0: none.",
            ge=0,
            le=PORT_MAX,
        ),
    ] = 0

    # Where things are kept
    data: Annotated[
        Path, setting("Folder of the embedded Redis and of the admin's token.", form="a folder")
    ] = Path("data")
    redis_url: (
        Annotated[
            str,
            setting(
                "Redis of the log; none: an embedded one.",
                form=_LOG_FORM,
                secret=True,
                schemes=(*_REDIS, "redis+cluster", "rediss+cluster"),
            ),
        ]
        | None
    ) = None
    queue_url: (
        Annotated[
            str,
            setting(
                "Redis of the job queues; none: the one of the log, which can't be a Cluster then.",
                form=_REDIS_FORM,
                secret=True,
                schemes=_REDIS,
            ),
        ]
        | None
    ) = None
    archive: (
        Annotated[
            Path,
            setting(
                "Folder for logs of meetings that are over, the same one for every process on "
                "every machine; none: `archive` in the data folder beside an embedded Redis, "
                "else the logs stay in Redis.",
                form="a folder",
            ),
        ]
        | None
    ) = None
    archive_after: Annotated[
        int,
        setting(
            "Age of a meeting's end from which its log moves there; 0: never by itself.",
            "hours",
            ge=0,
            le=87_600,
        ),
    ] = 72
    fsync: Annotated[
        Literal["always", "everysec"],
        setting("When Redis writes to disk: before every answer, or once a second."),
    ] = "always"
    partitions: Annotated[
        int, setting("Partitions of the log; fixed by its first start.", ge=1, le=1024)
    ] = 16

    # Who may come, and how often
    admin_token: (
        Annotated[
            str,
            setting(
                "Token of the player `admin`; none: the first start writes one to the data folder.",
                form=_TOKEN_FORM,
                secret=True,
                pattern=_TOKEN,
            ),
        ]
        | None
    ) = None
    registration: Annotated[
        Literal["open", "closed"], setting("Whether people may make themselves players.")
    ] = "open"
    rate_limit: Annotated[bool, setting("Whether the three rates below are enforced.")] = True
    registrations_per_hour: Annotated[
        int, setting("New players from one address.", "per hour", ge=1, le=1_000_000)
    ] = 600
    reads_per_minute: Annotated[
        int, setting("Reads by one caller.", "per minute", ge=1, le=10_000_000)
    ] = 6000
    writes_per_minute: Annotated[
        int,
        setting("Writes by one caller, commands of play apart.", "per minute", ge=1, le=10_000_000),
    ] = 600
    body_bytes_max: Annotated[
        int, setting("Largest body of a request.", "bytes", ge=1024, le=16_777_216)
    ] = 262_144
    page_items: Annotated[int, setting("Items of a page.", "items", ge=1, le=10_000)] = 50
    page_items_max: Annotated[
        int, setting("Most items of a page that `limit` may ask.", "items", ge=1, le=10_000)
    ] = 200
    events_page_items: Annotated[int, setting("Events of a page.", "events", ge=1, le=10_000)] = 100
    events_page_items_max: Annotated[
        int, setting("Most events of a page that `limit` may ask.", "events", ge=1, le=10_000)
    ] = 1000

    # Who works
    turn_workers: Annotated[
        int, setting("Workers that play the turns of bots.", "processes", ge=0, le=256)
    ] = 1
    settle_workers: Annotated[
        int, setting("Workers that settle races and meetings.", "processes", ge=0, le=256)
    ] = 1
    drain_seconds: Annotated[
        int, setting("Longest time of one draining job.", "seconds", ge=1, le=50)
    ] = 50
    reconcile_seconds: Annotated[
        int, setting("Time between two looks at what the log is owed.", "seconds", ge=1, le=3600)
    ] = 30
    idle_days: Annotated[
        int,
        setting("Idle time after which a meeting without a clock ends.", "days", ge=1, le=3650),
    ] = 30
    grace_seconds: Annotated[
        int, setting("How long a part may take to stop.", "seconds", ge=1, le=600)
    ] = 15

    # What it says
    log_format: Annotated[
        Literal["console", "json"], setting("Form of the log: for people, or one object a line.")
    ] = "console"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], setting("What is worth a line of the log.")
    ] = "info"

    # Commands that call a server (export, demo, play)
    url: (
        Annotated[
            str,
            setting(
                "Server to call; none: the one at host and port.",
                form="a URL like http://host:8080",
                schemes=("http", "https"),
            ),
        ]
        | None
    ) = None
    token: (
        Annotated[
            str,
            setting("Token to call it with.", form=_TOKEN_FORM, secret=True, pattern=_TOKEN),
        ]
        | None
    ) = None

    @property
    def archive_folder(self) -> Path | None:
        """Where old logs are; None where they stay in Redis."""
        if self.archive is None and self.redis_url is None:
            return self.data / "archive"
        return self.archive

    def at(self, redis_url: str, queue_url: str) -> "Settings":
        """These for a command that finds an embedded Redis at these URLs."""
        archive = self.archive_folder
        return structs.replace(self, redis_url=redis_url, queue_url=queue_url, archive=archive)

    @property
    def server_url(self) -> str:
        """Where commands of this machine find the server, without a slash at the end."""
        return (self.url or local_url(self.host, self.port)).rstrip("/")

    def __repr__(self) -> str:
        """What may be seen of it: a record that ends in a log or a traceback shows no secret."""
        return f"Settings({', '.join(f'{row.field}={row.shown(self)!r}' for row in TABLE)})"


TABLE = rows(Settings)
"""The table of all settings, in the order of the record."""


def local_url(host: str, port: int) -> str:
    """The URL of a server that listens there, as its own machine reaches it."""
    reach = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{reach}]:{port}" if ":" in reach else f"http://{reach}:{port}"


def read_settings(env: Mapping[str, str]) -> Settings:
    """The settings of this start; variables that are not HOMESTRETCH_… are ignored.

    Raises:
        SettingError: a value makes no sense alone or beside another, or is set for no setting.
    """
    settings = read(Settings, env)
    for low in ("page_items", "events_page_items"):
        if getattr(settings, low) > getattr(settings, f"{low}_max"):
            name = PREFIX + low.upper()
            raise SettingError(name, f"must not be more than {name}_MAX")
    if settings.queue_url is None and is_cluster(settings.redis_url or ""):
        raise SettingError(f"{PREFIX}QUEUE_URL", "must be set: job queues can't be in a Cluster")
    first, port = settings.metrics_port, settings.port
    last = first + settings.api_processes - 1
    if first and (first <= port <= last or last > PORT_MAX):
        told = f"must leave {PREFIX}PORT alone, and a port up to {PORT_MAX} to each API process"
        raise SettingError(f"{PREFIX}METRICS_PORT", told)
    return settings
