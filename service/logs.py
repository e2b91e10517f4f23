"""The log of what happens: structlog, as JSON or for people, with no secret in it.

Libraries that log through the standard library (uvicorn, rq, litestar) write the same lines.
Lines name what they are about by the keys that `bound` binds; ids, counts and times may be logged,
tokens, hands, seeds and whole bodies may not (service.withholding sees to it).
"""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Literal, TextIO

import msgspec
import structlog
from structlog.typing import EventDict, Processor

from service.withholding import withhold

QUIET = ("httpx", "httpcore", "asyncio", "uvicorn.access")
"""Loggers that tell each request or less: warnings only. An access log would hold query strings."""

_about: ContextVar["Bound | None"] = ContextVar("about", default=None)


def configure(
    form: Literal["console", "json"] = "console",
    level: str = "info",
    *,
    part: str | None = None,
    stream: TextIO | None = None,
) -> None:
    """Send every log of this process to one stream, in one form.

    Args:
        form: "json" is one object a line; "console" is for people.
        level: what is worth a line: debug, info, warning, error.
        part: name of this process among its siblings; stands in each JSON line.
        stream: where to; the standard output if left out.
    """
    out = sys.stdout if stream is None else stream
    number = logging.getLevelNamesMapping()[level.upper()]
    chain = _chain(form, part, colors=out.isatty())
    structlog.configure(
        processors=[_merge_about, *chain],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,
    )
    _route_standard_library(chain, number, out)


def get_logger(name: str) -> Any:
    """A logger whose lines carry this name; events are `noun_verbed`, the rest are keys."""
    return structlog.get_logger(logger_name=name)


class Bound:
    """What the lines within are about; see `bound`."""

    __slots__ = ("_outer", "_tell", "_token")

    def __init__(self, tell: Callable[[], Mapping[str, Any]]) -> None:
        self._tell = tell

    def __enter__(self) -> None:
        self._outer = _about.get()
        self._token = _about.set(self)

    def __exit__(self, *_error: object) -> None:
        _about.reset(self._token)

    def told(self) -> dict[str, Any]:
        """The keys of a line, with those of what this lies within."""
        outer = {} if self._outer is None else self._outer.told()
        return outer | {key: value for key, value in self._tell().items() if value is not None}


def bound(tell: Callable[[], Mapping[str, Any]]) -> Bound:
    """Say what the lines within are about: meeting, version, command_id, player.

    It is asked when there is a line: every call binds some, and few write any. What is None or left
    out stays as it was. The bindings are of the task (and of threads started by
    asyncio.to_thread), not of the process.
    """
    return Bound(tell)


def _merge_about(_logger: Any, _method: str, entry: EventDict) -> EventDict:
    about = _about.get()
    return entry if about is None else {**about.told(), **entry}


def _chain(form: str, part: str | None, *, colors: bool) -> Sequence[Processor]:
    """What every line goes through, ours or a library's; `withhold` is last before it is written.

    Tracebacks are plain text: the richer forms print the local variables.
    """
    last: Sequence[Processor]
    if form == "json":
        last = [_named(part), structlog.processors.JSONRenderer(serializer=_json)]
    else:
        plain = structlog.dev.plain_traceback
        last = [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)]
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        withhold,
        *last,
    ]


def _named(part: str | None) -> Processor:
    def add_part(_logger: Any, _method: str, entry: EventDict) -> EventDict:
        if part is not None:
            entry["part"] = part
        return entry

    return add_part


def _json(entry: EventDict, **_options: Any) -> str:
    return msgspec.json.encode(entry).decode()


def _route_standard_library(chain: Sequence[Processor], level: int, out: TextIO) -> None:
    """Let records of the standard library end in the same lines, whoever made a handler before.

    RQ's loggers don't propagate once RQ has given them handlers of their own; with a handler on the
    root RQ makes none, and those made before are taken away.
    """
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_merge_about],
            processors=[
                _source,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *chain,
            ],
        )
    )
    for other in list(logging.root.manager.loggerDict.values()):
        if isinstance(other, logging.Logger):
            other.handlers.clear()
            other.propagate = True
            other.disabled = False  # a library's own set-up of logging may have shut others off
            other.setLevel(logging.NOTSET)
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    logging.captureWarnings(True)


def _source(_logger: Any, _method: str, entry: EventDict) -> EventDict:
    """The name of the library's logger, before its record is dropped."""
    entry["logger_name"] = entry["_record"].name
    return entry
