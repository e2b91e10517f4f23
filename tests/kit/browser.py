"""A headless Chromium that tells all it did: what it asked for, and what its console says."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from tests.kit.programs import PATIENCE, ROOT
from tests.kit.tools import need

AXE = ROOT / "tests" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = (
    "--headless",
    "--no-sandbox",  # in a container and as root there is none
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
)
_AUDIT = """
const [rules, done] = arguments;
const only = rules.length ? {runOnly: rules} : {};
axe.run(document, {resultTypes: ["violations"], ...only}).then(
  found => done(found.violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.html)}`)),
  error => done([`axe failed: ${error}`]));
"""


class Browser:
    """A new browser without history, cookies or cache; close it.

    Raises:
        pytest.skip.Exception: there is no Chromium, or no driver of it.
    """

    def __init__(self) -> None:
        program, driver = shutil.which("chromium"), shutil.which("chromedriver")
        need(program and driver, "Chromium and its driver: apt install chromium chromium-driver")
        assert program is not None
        self._profile = tempfile.TemporaryDirectory(
            prefix="homestretch-browser-", ignore_cleanup_errors=True
        )
        options = ChromeOptions()
        options.binary_location = program
        for flag in (*FLAGS, f"--user-data-dir={self._profile.name}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = Chrome(options=options, service=Service(driver))
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def close(self) -> None:
        """End it, and forget what it kept."""
        self.driver.quit()
        self._profile.cleanup()

    def size(self, width: int, height: int) -> None:
        """Give the page this size, as a device has it."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def scheme(self, name: str) -> None:
        """Prefer light or dark."""
        feature = {"name": "prefers-color-scheme", "value": name}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def scripts(self, *, run: bool) -> None:
        """Let pages run scripts or not."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not run})

    def console(self) -> list[str]:
        """What its console says since this was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def asked(self) -> list[str]:
        """The address of every request since this was last asked."""
        return list(self._asked())

    def _asked(self) -> Iterator[str]:
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url: str = message["params"]["request"]["url"]
                yield url

    def measure(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self.driver.execute_script(f"return {expression}")

    def audit(self, *rules: str) -> list[str]:
        """What axe-core (these rules of it, or all) finds wrong with the page for some people."""
        need(AXE.exists(), "axe-core, which Node and npm bring (npm ci --prefix tests/browser)")
        self.driver.execute_script(Path(AXE).read_text(encoding="utf-8"))
        found: list[str] = self.driver.execute_async_script(_AUDIT, list(rules))
        return found
