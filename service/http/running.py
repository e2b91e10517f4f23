"""The steps that all calls share, in the order of the contract (Errors): 401, 404, 413, 415, 400.

After 401 stands the rate limit, which needs to know who calls. A handler starts where these end.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

from domain.kernel.rejection import Malformed
from service.handling import Key
from service.http import problems as p
from service.http.bodies import read_body, take
from service.http.call import Answer, Call
from service.http.decoding import canonical, decode
from service.http.operation import Parameter
from service.http.rates import admit

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


async def run(call: Call) -> Answer:
    """The answer to a call; refusals are raised."""
    operation = call.operation
    await _know(call)
    await admit(call)
    if operation.subject is not None:
        await operation.subject(call)
    body = await _body(call) if operation.bodies else None
    call.query = read_query(call.scope["query_string"], operation.query)
    if operation.keyed:
        call.key = _key(call, body)
    return await operation.handle(call)


async def _know(call: Call) -> None:
    """Who calls; a token that is there must live, whatever the call is."""
    told = call.headers.get("authorization")
    if told is None or call.operation.token == "none":
        if call.operation.token == "required":
            _ = call.caller
        return
    scheme, _, token = told.partition(" ")
    if scheme.lower() == "bearer" and token:
        call.login = await call.deps.players.login(token.strip(), fresh=not call.operation.hot)
    _ = call.caller


async def _body(call: Call) -> Any:
    """Read the body into the form that the operation takes; its plain value, {} for none."""
    operation = call.operation
    raw = await read_body(call.receive, call.headers, call.deps.settings.body_bytes_max)
    if not raw and operation.body_needed:
        if "content-type" not in call.headers:
            raise p.Refusal(p.UNSUPPORTED_MEDIA_TYPE)
        raise Malformed("The body is empty.", None)
    value = decode(raw) if raw else {}
    if operation.takes is not None:
        call.input = operation.takes(call, value)
    else:
        call.input = take(value, operation.bodies[0])
    return value


def read_query(query: bytes, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """The query's parameters by name; those left out are absent.

    Raises:
        Refusal: one that the call doesn't know, comes twice, or makes no sense (400).
    """
    if not query:
        return {}
    known = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Any] = {}
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=50
        )
    except ValueError:
        raise p.Refusal(p.MALFORMED, "The query is not of the form name=value.") from None
    for name, text in pairs:
        parameter = known.get(name)
        if parameter is None or parameter.read is None:
            raise _misread(name[:60], f"this call takes {_listed(known)}")
        if name in values:
            raise _misread(name, "it comes twice")
        try:
            values[name] = parameter.read(text)
        except ValueError as error:
            raise _misread(name, f"it is {error}, not {text[:60]!r}") from None
    return values


def _misread(name: str, fault: str) -> p.Refusal:
    """The refusal of a query parameter: which, and what is wrong with it."""
    return p.Refusal(p.MALFORMED, f"The query parameter `{name}`: {fault}.", parameter=name)


def _listed(names: Iterable[str]) -> str:
    """The names of parameters in a sentence."""
    return ", ".join(f"`{name}`" for name in names) or "no parameters"


def _key(call: Call, body: Any) -> Key | None:
    """The call's idempotency key, if it brought one."""
    told = call.headers.get("idempotency-key")
    if told is None:
        return None
    if not _KEY.fullmatch(told):
        raise p.Refusal(
            p.MALFORMED,
            "An Idempotency-Key is 1 to 255 visible ASCII characters.",
            parameter="Idempotency-Key",
        )
    return Key.of_caller(call.caller.id, call.scope["path"], told, canonical(body))
