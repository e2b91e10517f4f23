"""The document is clean under the linters that its readers use, warnings included."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.kit.tools import need

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "openapi" / "openapi.json"
REDOCLY = HERE.parent / "clients" / "node_modules" / ".bin" / "redocly"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
HOW = "it needs Node with npm: `sh run test` then installs @redocly/cli into tests/clients"


def problems_of(document: Path) -> list[dict[str, Any]]:
    """What Redocly's recommended rules say of a document."""
    need(shutil.which("node") and REDOCLY.exists(), HOW)
    done = subprocess.run(
        [REDOCLY, "lint", document, "--config", HERE / "redocly.yaml", "--format", "json"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **QUIET},
    )
    report = json.loads(done.stdout[done.stdout.index("{") :])
    found: list[dict[str, Any]] = report["problems"]
    assert len(found) == report["totals"]["errors"] + report["totals"]["warnings"]
    return found


def test_redocly_has_nothing_to_say_about_the_document() -> None:
    assert problems_of(DOCUMENT) == []


def test_redocly_finds_what_is_wrong(tmp_path: Path) -> None:
    """So that its silence means something."""
    faulty = json.loads(DOCUMENT.read_bytes())
    first = faulty["paths"]["/v1/players"]["post"]
    del first["operationId"], first["summary"]
    first["responses"]["201"]["content"]["application/json"]["examples"]["ann"]["value"] = {}
    copy = tmp_path / "openapi.json"
    copy.write_text(json.dumps(faulty))
    rules = {problem["ruleId"] for problem in problems_of(copy)}
    wanted = {"operation-operationId", "operation-summary", "no-invalid-media-type-examples"}
    assert wanted <= rules
