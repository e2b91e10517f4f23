"""The environment decides how the server runs, and nothing in it is misread without a word."""

from pathlib import Path

import msgspec
import pytest

from service.cluster_url import nodes_of, url_of
from service.settings import TABLE, SettingError, Settings, local_url, read_settings

GIVEN_BY_CONTRACT = {
    "HOMESTRETCH_HOST": ("0.0.0.0", "0.0.0.0"),
    "HOMESTRETCH_PORT": ("9000", 9000),
    "HOMESTRETCH_DATA": ("elsewhere/data", Path("elsewhere/data")),
    "HOMESTRETCH_REDIS_URL": ("redis://user:pw@db:6379/2", "redis://user:pw@db:6379/2"),
    "HOMESTRETCH_QUEUE_URL": ("unix:///run/redis.sock", "unix:///run/redis.sock"),
    "HOMESTRETCH_FSYNC": ("everysec", "everysec"),
    "HOMESTRETCH_ADMIN_TOKEN": ("let-me-in", "let-me-in"),
    "HOMESTRETCH_REGISTRATION": ("closed", "closed"),
    "HOMESTRETCH_TRUSTED_PROXIES": ("10.0.0.0/8, ::1", ("10.0.0.0/8", "::1/128")),
    "HOMESTRETCH_RATE_LIMIT": ("off", False),
}


@pytest.mark.parametrize("variable", GIVEN_BY_CONTRACT)
def test_a_variable_of_the_contract_sets_its_field(variable: str) -> None:
    text, value = GIVEN_BY_CONTRACT[variable]
    settings = read_settings({variable: text})
    field = variable.removeprefix("HOMESTRETCH_").lower()
    assert getattr(settings, field) == value
    assert settings == msgspec.structs.replace(Settings(), **{field: value})


def test_without_variables_it_serves_on_loopback_with_data_beside_it() -> None:
    settings = read_settings({"PATH": "/bin", "OTHER_HOMESTRETCH_PORT": "x"})
    assert (settings.host, settings.port, settings.data) == ("127.0.0.1", 8080, Path("data"))
    assert (settings.redis_url, settings.fsync, settings.partitions) == (None, "always", 16)
    assert settings == Settings()


NONSENSE = [
    ("PORT", "eighty"),
    ("PORT", ""),
    ("PORT", "-1"),
    ("PORT", "65536"),
    ("PORT", "80.5"),
    ("PORT", "true"),
    ("HOST", ""),
    ("HOST", "two words"),
    ("HOST", "127.0.0.1\n"),
    ("HOST", "http://x"),
    ("DATA", ""),
    ("DATA", "a\0b"),
    ("REDIS_URL", "localhost:6379"),
    ("REDIS_URL", "http://localhost"),
    ("REDIS_URL", "redis://"),
    ("REDIS_URL", "redis://host:0"),
    ("REDIS_URL", "redis://host:port"),
    ("REDIS_URL", "redis://host :6379"),
    ("REDIS_URL", "unix:"),
    ("REDIS_URL", "unix://redis.sock"),
    ("REDIS_URL", "redis+cluster://"),
    ("REDIS_URL", "redis+cluster://one:6379,"),
    ("REDIS_URL", "redis+cluster://one:6379,two:0"),
    ("REDIS_URL", "redis+cluster://one:6379/3"),
    ("REDIS_URL", "unix+cluster:///x"),
    ("QUEUE_URL", "amqp://host"),
    ("QUEUE_URL", "redis+cluster://host"),
    ("FSYNC", "no"),
    ("FSYNC", "ALWAYS"),
    ("ADMIN_TOKEN", "with space"),
    ("ADMIN_TOKEN", "häslich"),
    ("ADMIN_TOKEN", "x" * 256),
    ("ADMIN_TOKEN", "let-me-in\n"),
    ("REGISTRATION", "yes"),
    ("TRUSTED_PROXIES", "proxy.example"),
    ("TRUSTED_PROXIES", "10.0.0.1/8"),
    ("TRUSTED_PROXIES", "10.0.0.1,"),
    ("RATE_LIMIT", "1"),
    ("RATE_LIMIT", "True"),
    ("RATE_LIMIT", ""),
    ("PARTITIONS", "0"),
    ("API_PROCESSES", "0"),
    ("TURN_WORKERS", "-1"),
    ("LOG_FORMAT", "xml"),
    ("LOG_LEVEL", "loud"),
    ("BODY_BYTES_MAX", "10"),
    ("PAGE_ITEMS", "201"),
    ("METRICS_PORT", "8080"),
    ("URL", "ftp://host"),
    ("DATA", __file__),
    ("ARCHIVE", __file__),
    ("ARCHIVE", f"{__file__}/archive"),
]


@pytest.mark.parametrize(("field", "text"), NONSENSE)
def test_a_value_that_makes_no_sense_is_refused_by_name(field: str, text: str) -> None:
    with pytest.raises(SettingError) as refused:
        read_settings({f"HOMESTRETCH_{field}": text})
    assert refused.value.name == f"HOMESTRETCH_{field}"
    assert str(refused.value).startswith(f"HOMESTRETCH_{field} must ")


@pytest.mark.parametrize(("port", "first"), [(8080, 8079), (8080, 8080), (80, 65_535)])
def test_every_api_process_has_a_port_of_its_own_for_metrics(port: int, first: int) -> None:
    given = {"HOMESTRETCH_PORT": str(port), "HOMESTRETCH_METRICS_PORT": str(first)}
    with pytest.raises(SettingError) as refused:
        read_settings({**given, "HOMESTRETCH_API_PROCESSES": "2"})
    assert refused.value.name == "HOMESTRETCH_METRICS_PORT"


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("HOMESTRETCH_PROT", "HOMESTRETCH_PORT"),
        ("HOMESTRETCH_REDIS", "HOMESTRETCH_REDIS_URL"),
        ("HOMESTRETCH_RATELIMIT", "HOMESTRETCH_RATE_LIMIT"),
        ("HOMESTRETCH_ADMINTOKEN", "HOMESTRETCH_ADMIN_TOKEN"),
        ("HOMESTRETCH_host", "HOMESTRETCH_HOST"),
    ],
)
def test_a_variable_that_is_no_setting_is_refused_with_the_nearest(
    misspelt: str, meant: str
) -> None:
    with pytest.raises(SettingError) as refused:
        read_settings({misspelt: "x", "HOMESTRETCH_PORT": "1"})
    assert refused.value.name == misspelt
    assert refused.value.detail.endswith(f" {meant}")


def test_a_cluster_is_named_by_its_nodes_and_needs_another_redis_for_the_queues() -> None:
    url = "redis+cluster://ann:pw@one:6379,[::1]:6380,two"
    queues = {"HOMESTRETCH_QUEUE_URL": "redis://three"}
    settings = read_settings({"HOMESTRETCH_REDIS_URL": url, **queues})
    assert settings.redis_url == url
    assert "redis+cluster://one:6379,[::1]:6380,two" in repr(settings)
    assert nodes_of(url) == [("one", 6379), ("::1", 6380), ("two", 6379)]
    assert url_of(url, ("::1", 6380)) == "redis://ann:pw@[::1]:6380/0"
    with pytest.raises(SettingError, match="in a Cluster") as refused:
        read_settings({"HOMESTRETCH_REDIS_URL": url})
    assert refused.value.name == "HOMESTRETCH_QUEUE_URL"


def test_an_empty_text_means_none_where_none_is_the_default() -> None:
    empty = ("REDIS_URL", "QUEUE_URL", "ADMIN_TOKEN", "TRUSTED_PROXIES", "URL", "TOKEN")
    assert read_settings({f"HOMESTRETCH_{field}": "" for field in empty}) == Settings()


def test_no_secret_is_in_what_is_shown_or_refused() -> None:
    settings = read_settings(
        {
            "HOMESTRETCH_REDIS_URL": "redis://ann:s3cret@db:6379/2?password=s3cret",
            "HOMESTRETCH_QUEUE_URL": "rediss://:s3cret@queue",
            "HOMESTRETCH_ADMIN_TOKEN": "s3cret",
            "HOMESTRETCH_TOKEN": "s3cret",
        }
    )
    assert "s3cret" not in repr(settings)
    shown = {row.field: row.shown(settings) for row in TABLE}
    assert shown["redis_url"] == "redis://db:6379/2"
    assert shown["queue_url"] == "rediss://queue"
    assert shown["admin_token"] == shown["token"] == "(set)"
    for name in ("REDIS_URL", "ADMIN_TOKEN"):
        with pytest.raises(SettingError) as refused:
            read_settings({f"HOMESTRETCH_{name}": "mongo://ann:s3cret @db"})
        assert "s3cret" not in str(refused.value)


def test_every_setting_is_described() -> None:
    assert [row.field for row in TABLE] == list(Settings.__struct_fields__)
    for row in TABLE:
        assert row.meaning.endswith("."), row.field
        assert row.form, row.field
        assert row.variable == f"HOMESTRETCH_{row.field.upper()}"


def test_a_shown_value_can_be_set_again() -> None:
    settings = read_settings({name: text for name, (text, _) in GIVEN_BY_CONTRACT.items()})
    shown = {row.variable: row.shown(settings) for row in TABLE if not row.secret}
    again = read_settings(shown)
    assert [getattr(again, row.field) for row in TABLE if not row.secret] == [
        getattr(settings, row.field) for row in TABLE if not row.secret
    ]


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:8080"),
        ("::", "http://[::1]:8080"),
        ("games.example", "http://games.example:8080"),
    ],
)
def test_the_machine_itself_reaches_a_server_that_listens_anywhere(host: str, url: str) -> None:
    assert local_url(host, 8080) == url
    assert Settings(host=host).server_url == url
    assert Settings(host=host, url="https://other.example/").server_url == "https://other.example"
