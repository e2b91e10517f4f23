"""Keeps secrets out of the log: the last processor before a line is written.

It is a white list by kind of value: text is searched for what looks like a token, numbers pass, and
of anything else (a Struct, bytes: a hand, a seed) only the kind is told. Names of secrets and of
whole bodies are withheld whatever they hold.
"""

import re
from collections.abc import Mapping, MutableMapping
from datetime import date, datetime, timedelta
from pathlib import PurePath
from typing import Any

WITHHELD = "[withheld]"

# fmt: off
SECRET_WORDS = frozenset({
    "authorization", "cookie", "draws", "hand", "hands", "nonce", "nonces", "password",
    "private", "salt", "secret", "secrets", "seed", "seeds", "ticket", "tickets", "token",
    "tokens",
})
# fmt: on
"""A key with one of these words in its name is withheld: `admin_token`, `X-Token`, `nonce_hash`."""

BODIES = frozenset(
    ("actions", "body", "board", "command", "content", "events", "headers", "payload", "query")
)
"""Keys that would carry whole bodies: their numbers pass (`events=3`), the rest is withheld."""

IDENTIFIERS = frozenset(("meeting", "command_id", "player", "job", "logger_name"))
"""Keys whose text is an id, however long it is."""

TEXT_MAX = 2_000
TRACEBACK_MAX = 6_000
_DEPTH_MAX = 4

_NAMED = re.compile(
    r"""(?i)(
        (?: authorization | cookie | draw | hand | nonce | password | private | salt | secret
          | seed | ticket | token )s?
        ["']? \s* [=:] \s*
    )(?:
        b?"[^"]*" | b?'[^']*' | \[[^\]]*\]? | \{[^}]*\}? | \([^)]*\)?
      | (?: bearer | basic )\s+\S+ | [^\s&,;}\])]+
    )""",
    re.VERBOSE,
)
"""A secret told by its name, in prose, a query string, JSON or the repr of a record."""

_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',]+")
_URL_USER = re.compile(r"(?<=://)[^/\s@]+@")
_WEBHOOK = re.compile(r"\bwhsec_[A-Za-z0-9+/=_-]+")
_BYTES = re.compile(r"\bb(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
_RUN = re.compile(r"[A-Za-z0-9_-]{24,}=*")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_WORD = re.compile(r"[^a-z]+")


def withhold(_logger: Any, _method: str, entry: MutableMapping[str, Any]) -> dict[str, Any]:
    """The entry of a log without secrets (a processor of structlog)."""
    return {key: _field(key, value, 0) for key, value in entry.items()}


def scrub(text: str, limit: int = TEXT_MAX) -> str:
    """The text without what looks like a token or a password, nor control characters."""
    if len(text) > limit:
        text = f"{text[: limit // 4]} … {text[-(limit - limit // 4) :]}"
    text = _URL_USER.sub(f"{WITHHELD}@", text)
    text = _NAMED.sub(rf"\1{WITHHELD}", text)
    text = _BEARER.sub(rf"\1 {WITHHELD}", text)
    text = _WEBHOOK.sub(WITHHELD, text)
    text = _BYTES.sub(WITHHELD, text)
    text = _RUN.sub(_run, text)
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _run(found: re.Match[str]) -> str:
    """Withhold a long run that looks random: with digits among letters, or very long in two cases.

    A UUID names things and passes; so do the long plain names of functions in tracebacks.
    """
    run = found[0]
    if _UUID.fullmatch(run):
        return run
    letters = re.search("[A-Za-z]", run)
    digits = re.search(r"\d", run)
    both_cases = run.lower() != run and run.upper() != run
    return WITHHELD if letters and (digits or (both_cases and len(run) >= 40)) else run


def _field(key: Any, value: Any, depth: int) -> Any:
    name = str(key).lower()
    if not SECRET_WORDS.isdisjoint(_WORD.split(name)):
        return WITHHELD
    if name in BODIES and not isinstance(value, int | float | None):
        return WITHHELD
    if name in IDENTIFIERS and isinstance(value, str):
        return _CONTROL.sub("?", value[:300])
    if name == "exception" and isinstance(value, str):
        return scrub(value, TRACEBACK_MAX)
    return _value(value, depth)


def _value(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str | PurePath | BaseException | date | datetime | timedelta):
        return scrub(str(value))
    if depth < _DEPTH_MAX and isinstance(value, Mapping):
        return {scrub(str(key)): _field(key, held, depth + 1) for key, held in value.items()}
    if depth < _DEPTH_MAX and isinstance(value, list | tuple | set | frozenset):
        return [_value(held, depth + 1) for held in value]
    return f"<{type(value).__name__}>"
