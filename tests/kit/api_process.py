"""A part of the server as a process: `python -m tests.kit.api_process <settings as JSON> <part>`.

Settings are those of service.settings by field. The part is `project`, `react`, or the number of a
listening socket that it inherited, which makes it an API process.
"""

import json
import socket
import sys

import msgspec

from service import parts
from service.logs import configure
from service.settings import Settings


def main(told: str, part: str) -> int:
    """Run until told to end; the exit code."""
    settings = msgspec.convert(json.loads(told), Settings, dec_hook=lambda kind, value: kind(value))
    configure("json", "debug")
    if part == "project":
        return parts.project(settings)
    if part == "react":
        return parts.react(settings)
    return parts.serve(settings, socket.socket(fileno=int(part)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
