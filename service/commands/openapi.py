"""`homestretch openapi`: the OpenAPI document, or the JSON Schemas of the stored events."""

import argparse
import sys

from service.http.openapi import as_bytes, document, events_document
from service.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which document."""
    parser.add_argument(
        "--events", action="store_true", help="the schemas of all events, as logs store them"
    )


def run(args: argparse.Namespace, _settings: Settings) -> int:
    """Print it, byte for byte as it is committed; no setting changes it."""
    sys.stdout.buffer.write(as_bytes(events_document() if args.events else document()))
    sys.stdout.buffer.flush()
    return 0
