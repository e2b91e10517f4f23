"""A Redis that speaks TLS, where the machine has one, and certificates for it."""

import shutil
import subprocess
from pathlib import Path

from tests.kit.deployment import run_shell
from tests.kit.redis_server import programs
from tests.kit.tools import need


def with_tls() -> Path:
    """A redis-server of this machine that was built with TLS: one without knows no such word."""
    found = next(filter(_speaks_tls, programs().values()), None)
    need(found, "no redis-server with TLS is on PATH (Debian: apt install redis-server)")
    assert found is not None
    return found


def _speaks_tls(program: Path) -> bool:
    # Without a certificate it ends at once, whichever it is.
    words = [program, "--port", "0", "--tls-port", "1"]
    told = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    return "Failed to configure TLS" in told.stdout


def certificates(folder: Path, *names: str) -> None:
    """Certificates of localhost that vouch for themselves, each with its key."""
    need(shutil.which("openssl"), "openssl is missing (Debian: apt install openssl)")
    for name in names:
        run_shell(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            f"-subj /CN=localhost -addext subjectAltName=DNS:localhost "
            f"-keyout {name}.key -out {name}.crt 2>&1",
            {},
            cwd=folder,
        )


def tls_words(folder: Path, name: str, port: int) -> list[str]:
    """What a redis-server is told to speak TLS with this certificate."""
    return [
        *("--tls-port", str(port), "--tls-auth-clients", "no"),
        *("--tls-cert-file", str(folder / f"{name}.crt")),
        *("--tls-key-file", str(folder / f"{name}.key")),
    ]
