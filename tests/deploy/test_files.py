"""deploy/: what can be known of its files without starting anything but their linters."""

import re
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import compose_spec
import pytest

from service import cli
from service.commands.settings import env_file
from service.jobs.owed import QUEUES
from service.settings import TABLE, Settings, read_settings
from tests.kit.deployment import (
    DEPLOY,
    PASSWORD,
    beside_python,
    compose,
    interpolated,
    parsed,
    run_shell,
    shell_blocks,
    unit_environment,
    units,
)
from tests.kit.programs import ROOT
from tests.kit.tools import need

PARTS = {
    "serve": "homestretch-api@.service",
    "project": "homestretch-projector.service",
    "react": "homestretch-reactor.service",
    **{f"work {queue}": f"homestretch-{queue}@.service" for queue in QUEUES},
}
"""Each part and its unit."""

BIN = "/opt/homestretch/bin/homestretch"


# ---------------------------------------------------------------------- settings


def test_the_file_of_settings_is_what_the_program_writes() -> None:
    assert (DEPLOY / "env.example").read_text() == env_file(), (
        "homestretch settings --env > deploy/env.example"
    )


def test_the_file_of_settings_names_every_one_with_its_default() -> None:
    lines = re.findall(r"^#(HOMESTRETCH_\w+)=(.*)$", env_file(), re.MULTILINE)
    assert [name for name, _ in lines] == [row.variable for row in TABLE]
    assert read_settings(dict(lines)) == Settings()


def test_settings_prints_that_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["settings", "--env"]) == 0
    assert capsys.readouterr().out == env_file()


# ---------------------------------------------------------------------- Compose


@pytest.mark.parametrize("file", ["compose.yaml", "compose.cluster.yaml"])
def test_a_compose_file_has_the_form_that_compose_reads(file: str) -> None:
    text = interpolated((DEPLOY / file).read_text(), {"REDIS_PASSWORD": PASSWORD})
    read = compose_spec.PyOptions(apply_merge=True).from_yaml(text)
    if file == "compose.yaml":
        read.validate()  # the other stands on its networks


@pytest.mark.parametrize("file", ["compose.yaml", "compose.cluster.yaml"])
def test_a_compose_file_passes_the_linter_of_dangers(file: str) -> None:
    done = subprocess.run(
        [beside_python("compose-lint"), "check", str(DEPLOY / file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "PASS" in done.stdout


def test_a_compose_file_without_a_password_does_not_start() -> None:
    with pytest.raises(KeyError, match="REDIS_PASSWORD"):
        interpolated((DEPLOY / "compose.yaml").read_text(), {})


def test_compose_runs_each_part_with_settings_that_make_sense() -> None:
    for files in (["compose.yaml"], ["compose.yaml", "compose.cluster.yaml"]):
        told = compose(*files)
        services = {name: s for name, s in told["services"].items() if "HOMESTRETCH_DATA" in str(s)}
        commands = []
        for name, service in services.items():
            args = parsed(service["command"])
            commands.append(" ".join(filter(None, [args.command, getattr(args, "queue", None)])))
            assert args.part == name
            settings = read_settings(service["environment"])
            assert settings.redis_url is not None
            assert PASSWORD in settings.redis_url
            grace = int(service["stop_grace_period"].removesuffix("s"))
            assert grace > settings.grace_seconds
        assert sorted(commands) == sorted(PARTS)


def test_compose_names_only_what_it_has() -> None:
    told = compose("compose.yaml", "compose.cluster.yaml")
    for name, service in told["services"].items():
        assert set(service.get("depends_on", ())) <= set(told["services"]), name
        assert set(service["networks"]) <= set(told["networks"]), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            inside = (DEPLOY / source).is_file() if source[0] == "." else source in told["volumes"]
            assert inside or volume == "/var/backups/homestretch:/backups", volume
    hosts = re.findall(r"@([\w.]+):", str(told["services"]["api"]["environment"]))
    addresses = [
        network["ipv4_address"]
        for service in told["services"].values()
        if isinstance(service["networks"], dict)
        for network in service["networks"].values()
    ]
    assert set(hosts) <= {*told["services"], *addresses}
    (given,) = told["networks"]["inside"]["ipam"]["config"]
    free, whole = ip_network(given["ip_range"]), ip_network(given["subnet"])
    assert free.subnet_of(whole)  # type: ignore[arg-type] # both are of IPv4
    for address in map(ip_address, addresses):
        assert address in whole
        assert address not in free, "another container could have got it first"
    assert set(re.findall(r"[\d.]+(?=:6379)", told["services"]["cluster"]["command"][2])) == set(
        addresses
    )


def mounts(service: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """What a service mounts, by place: the source and how."""
    told = (volume.split(":") for volume in service.get("volumes", ()))
    return {place: (source, how[0] if how else "rw") for source, place, *how in told}


@pytest.mark.parametrize("files", [["compose.yaml"], ["compose.yaml", "compose.cluster.yaml"]])
def test_each_part_of_compose_has_the_anchor_and_the_archive(files: list[str]) -> None:
    """Volumes told in a service take the place of those that it inherits."""
    services = compose(*files)["services"].values()
    parts = [
        service for service in services if "HOMESTRETCH_DATA" in service.get("environment", ())
    ]
    assert len(parts) == len(PARTS)
    for part in parts:
        settings = read_settings(part["environment"])
        found = mounts(part)
        notes = part["command"][0] == "serve"
        assert found[str(settings.data)] == ("data", "rw" if notes else "ro"), part["command"]
        assert found[str(settings.archive_folder)] == ("archive", "rw"), part["command"]


def test_each_redis_of_compose_has_data_of_its_own_and_can_mend_it() -> None:
    services = compose("compose.yaml", "compose.cluster.yaml")["services"]
    found = [mounts(s) for s in services.values() if s["command"][0] == "redis-server"]
    assert {mounted.pop("/data")[0] for mounted in found} == {"redis", "node-1", "node-2", "node-3"}
    for mounted in found:
        assert mounted == {
            "/usr/local/etc/redis/redis.conf": ("./redis.conf", "ro"),
            "/usr/local/bin/mend.sh": ("./mend.sh", "ro"),
        }


@pytest.mark.parametrize("files", [["compose.yaml"], ["compose.yaml", "compose.cluster.yaml"]])
def test_copies_are_made_of_the_log_the_archive_and_the_anchor_that_the_parts_have(
    files: list[str],
) -> None:
    services = compose(*files)["services"]
    api, copies = services["api"], services["copies"]
    for name in ("HOMESTRETCH_REDIS_URL", "HOMESTRETCH_ARCHIVE"):
        assert copies["environment"][name] == api["environment"][name]
    found, of_api = mounts(copies), mounts(api)
    assert found["/archive"] == of_api["/archive"]
    assert found["/state"] == of_api["/data"]
    assert found["/redis"] == mounts(services["redis"])["/data"]
    assert copies["command"][1] in found
    assert copies["profiles"], "it does not start with the rest"
    for place, (source, how) in found.items():
        if place.startswith("/deploy/"):
            assert (source, how) == (f".{place.removeprefix('/deploy')}", "ro")


def test_only_the_api_of_compose_is_reached_from_outside_and_by_default_from_the_machine() -> None:
    told = compose("compose.yaml", "compose.cluster.yaml")
    assert [name for name, s in told["services"].items() if "ports" in s] == ["api"]
    assert told["services"]["api"]["ports"] == ["127.0.0.1:8080:8080"]
    assert told["networks"]["inside"]["internal"] is True
    asked = compose("compose.yaml", HOMESTRETCH_HOST="0.0.0.0", HOMESTRETCH_PORT="80")
    assert asked["services"]["api"]["ports"] == ["0.0.0.0:80:8080"]


# ---------------------------------------------------------------------- systemd


def test_each_part_has_a_unit_that_runs_it() -> None:
    told = units()
    assert set(PARTS.values()) <= set(told)
    for part, name in PARTS.items():
        service = told[name]["Service"]
        program, *words = service["ExecStart"][0].replace("%i", "1").split()
        assert program == BIN
        args = parsed(words)
        assert " ".join(filter(None, [args.command, getattr(args, "queue", None)])) == part
        settings = read_settings(unit_environment(service))
        assert settings.redis_url is not None
        assert int(service["TimeoutStopSec"][0]) > settings.grace_seconds
        assert service["EnvironmentFile"] == ["-/etc/homestretch/env"]
        assert told[name]["Unit"]["PartOf"] == ["homestretch.target"]


def test_each_part_of_systemd_has_the_anchor() -> None:
    told = units()
    for name in PARTS.values():
        service = told[name]["Service"]
        settings = read_settings(unit_environment(service))
        assert [str(settings.data)] == [
            f"/var/lib/{folder}" for folder in service["StateDirectory"]
        ]


def test_an_operator_has_the_settings_of_the_units_and_what_stands_in_their_file(
    tmp_path: Path,
) -> None:
    """By the runbook's own words; only the last, which becomes the user, is left out."""
    block = next(text for text in shell_blocks("The commands below", "console"))
    *words, last = [line.removeprefix("# ") for line in block.splitlines()]
    assert last.startswith("runuser -u homestretch ")
    (tmp_path / "env").write_text(env_file() + "HOMESTRETCH_PARTITIONS=32\n")
    text = "\n".join([*words, "env"]).replace("/etc/homestretch/env", str(tmp_path / "env"))
    told = run_shell(text.replace("cd /opt/homestretch", f"cd {ROOT}"), {})
    found = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    for name, value in unit_environment(units()["homestretch-reactor.service"]["Service"]).items():
        if name not in ("HOMESTRETCH_LOG_FORMAT", "PYTHONUNBUFFERED"):
            assert found[name] == value
    assert found["HOMESTRETCH_PARTITIONS"] == "32"
    backup = units()["homestretch-backup.service"]["Service"]["ExecStart"][0]
    assert found["BACKUPS"] == backup.split()[1]


def test_a_long_log_may_take_its_time_to_be_mended() -> None:
    service = units()["homestretch-redis.service"]["Service"]
    assert "mend.sh" in service["ExecStartPre"][0]
    assert service["TimeoutStartSec"] == ["infinity"]


def test_the_target_brings_every_unit() -> None:
    told = units()
    wanted = {name for line in told["homestretch.target"]["Unit"]["Wants"] for name in line.split()}
    served = {re.sub(r"@\d+", "@", name) for name in wanted}
    assert served == set(told) - {"homestretch.target", "homestretch-backup.service"}


def test_units_start_files_that_there_are() -> None:
    for name, unit in units().items():
        service = unit.get("Service", {})
        for command in (*service.get("ExecStart", ()), *service.get("ExecStartPre", ())):
            for path in re.findall(r"/opt/homestretch/(deploy/\S+)", command):
                assert (ROOT / path).is_file(), name
    for script in ("backup.sh", "mend.sh", "restore.sh"):
        assert (DEPLOY / script).stat().st_mode & 0o111 == 0o111


def test_systemd_accepts_the_units_and_rates_them_safe(tmp_path: Path) -> None:
    need(
        shutil.which("systemd-analyze"), "systemd-analyze is missing (Debian: apt install systemd)"
    )
    for path in (DEPLOY / "systemd").iterdir():
        text = re.sub(r"^(ExecStart\w*=)\S+", r"\1/bin/true", path.read_text(), flags=re.MULTILINE)
        (tmp_path / path.name.replace("@.", "@1.")).write_text(text)
    services = sorted(path.name for path in tmp_path.glob("*.service"))
    everything = sorted(path.name for path in tmp_path.iterdir())
    for words in (
        ["verify", "--man=no", *everything],
        ["security", "--offline=true", "--no-pager", "--threshold=20", *services],
    ):
        done = subprocess.run(
            ["systemd-analyze", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if words[0] == "verify":
            assert done.stderr == ""
