"""deploy/prometheus, deploy/grafana and the runbook: what they ask for is told by the server."""

import json
import re
import shlex
from itertools import takewhile
from typing import Any

import promql_parser
import pytest
import yaml

from service.http.table import operations
from service.settings import Settings
from tests.kit.deployment import DEPLOY, compose, shell_blocks

ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())
OPERATIONS = operations(Settings())
DASHBOARD = json.loads((DEPLOY / "grafana" / "homestretch.json").read_text())
RUNBOOK = (DEPLOY / "runbook.md").read_text()
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [
    *(rule["expr"] for rule in RULES),
    *(target["expr"] for panel in PANELS for target in panel["targets"]),
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_one_that_prometheus_reads(query: str) -> None:
    promql_parser.parse(query.replace("$__rate_interval", "1m").replace("$job", "homestretch"))


def test_queries_name_operations_that_there_are() -> None:
    named = set(re.findall(r'operation="(\w+)"', " ".join(QUERIES)))
    assert named
    assert named <= {operation.id for operation in OPERATIONS}


def test_an_alarm_has_its_section_of_the_runbook_and_each_section_its_alarm() -> None:
    told = re.findall(r"^### (\w+)$", RUNBOOK.partition("\n## Alarms\n")[2], re.MULTILINE)
    assert told == [rule["alert"] for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_an_alarm_says_how_bad_and_what(rule: dict[str, Any]) -> None:
    assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"].endswith(".")
    assert re.fullmatch(r"\d+[sm]", rule.get("for", "0s"))
    used = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
    assert used <= set(re.findall(r"by \((\w+)\)", rule["expr"]))


def test_prometheus_is_told_where_the_server_tells_and_reads_the_alarms() -> None:
    told = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())
    (job,) = told["scrape_configs"]
    assert job["metrics_path"] in {o.path for o in OPERATIONS if o.id == "ShowMetrics"}
    assert f'job="{job["job_name"]}"' in RULES[0]["expr"]
    assert all((DEPLOY / "prometheus" / file).is_file() for file in told["rule_files"])


def test_the_dashboard_has_the_form_that_grafana_imports() -> None:
    assert DASHBOARD["uid"] == "homestretch"
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    variables = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    assert set(re.findall(r"\$\{?(\w+)", json.dumps(PANELS))) <= variables | {"__rate_interval"}
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
    for panel in PANELS:
        assert panel["title"]
        assert panel["description"].endswith(".")
        for target in panel["targets"]:
            used = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            assert used <= set(re.findall(r"by \((\w+)\)", target["expr"])), panel["title"]


def test_every_block_of_the_runbook_is_run_by_a_test_or_says_that_it_is_not() -> None:
    fenced = re.findall(r"^```(\w*)$", RUNBOOK, re.MULTILINE)
    assert set(fenced) == {"sh", "console", ""}
    everywhere = len(re.findall(r"^```sh$", RUNBOOK, re.MULTILINE))
    sections = (
        "Back up",
        "Redis does not start",
        "Restore",
        "Rebuild a view",
        "Read a stuck meeting",
    )
    sections += ("Rotate the admin's token", "Move to a Cluster")
    assert sum(len(shell_blocks(section)) for section in sections) == everywhere


FLAGS = {
    "exec": set[str](),
    "run": {"--rm", "--no-deps"},
    "stop": set[str](),
    "up": {"--detach", "--wait"},
}
"""Commands of Compose, and those of their flags that the runbook uses."""


def test_the_runbook_s_commands_of_compose_are_of_services_and_scripts_that_there_are() -> None:
    services = compose("compose.yaml", "compose.cluster.yaml")["services"]
    mounted = {volume.split(":")[1] for volume in services["copies"]["volumes"]}
    told = re.findall(r"docker compose ([^`\n]+)", RUNBOOK)
    assert len(told) > 10
    for line in told:
        command, *words = shlex.split(line, comments=True)
        flags = list(takewhile(lambda word: word.startswith("-"), words))
        names = words[len(flags) :]
        assert set(flags) <= FLAGS[command], line
        if command in ("exec", "run"):
            names = names[:1]
            assert names, line
        assert set(names) <= set(services), line
    assert set(re.findall(r"\s(/deploy/[\w.-]+)", RUNBOOK)) <= mounted


def test_what_takes_something_away_does_so_only_where_it_is_told_where() -> None:
    for line in re.findall(r"^.*\b(?:rm|mv|FLUSHDB)\b.*$", RUNBOOK, re.MULTILINE):
        assert "$HOMESTRETCH_" not in line
    assert RUNBOOK.count("${HOMESTRETCH_DATA:?}/anchor.json") == 2


def test_the_runbook_names_units_and_files_that_there_are() -> None:
    units = {path.name for path in (DEPLOY / "systemd").iterdir()}
    named = set(re.findall(r"homestretch-?\w*@?[\d*]*\.(?:service|socket|target|timer)", RUNBOOK))
    assert named
    assert {re.sub(r"@[\d*]+", "@", name) for name in named} <= units
    for file in re.findall(r"`((?:prometheus|grafana)/[\w.]+|[\w.]+\.(?:yaml|conf|md))`", RUNBOOK):
        assert (DEPLOY / file).is_file(), file
