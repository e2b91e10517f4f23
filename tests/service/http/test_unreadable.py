"""What is no request of HTTP is refused as all else is, by a problem document."""

import socket
from http.client import HTTPResponse

import pytest

from service.http.operation import Operation
from service.http.table import operations
from service.settings import Settings
from tests.kit.answers import declared
from tests.kit.face import Api, Client


def answer_to(api: Api, data: bytes) -> HTTPResponse:
    """What the server says to these bytes, before it hangs up or waits for more."""
    with socket.create_connection(("127.0.0.1", api.port), timeout=60) as line:
        line.sendall(data)
        answer = HTTPResponse(line)
        answer.begin()
        answer.body = answer.read()  # type: ignore[attr-defined]
        return answer


RUBBISH = {
    "no HTTP": b"rubbish\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no such method": b"LOOK /v1/games HTTP/1.1\r\nHost: t\r\n\r\n",
    "a header without a name": b"GET /v1/games HTTP/1.1\r\n: t\r\n\r\n",
    "two lengths": b"POST /v1/players HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "a negative length": b"POST /v1/players HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n{}",
    "a chunk without a length": b"POST /v1/players HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx",
}


@pytest.mark.parametrize("data", RUBBISH.values(), ids=RUBBISH)
def test_what_is_no_http_is_a_problem_as_well(api: Api, data: bytes) -> None:
    answer = answer_to(api, data)
    headers = {name.lower(): value for name, value in answer.getheaders()}
    assert answer.status == 400
    assert headers["connection"] == "close"
    assert headers["access-control-allow-origin"] == "*"
    declared().check("GET", "/no/operation", 400, headers, answer.body)  # type: ignore[attr-defined]


NAMED = [row for row in operations(Settings()) if row.path_parameters and row.method == "GET"]


@pytest.mark.parametrize("operation", NAMED, ids=lambda row: row.id)
@pytest.mark.parametrize("name", ["%ff", "%ed%a0%80", "%00"])
def test_a_name_in_a_path_that_is_no_text_names_nothing(
    admin: Client, operation: Operation, name: str
) -> None:
    path = operation.path
    for parameter in operation.path_parameters:
        path = path.replace(f"{{{parameter.name}}}", name)
    assert admin.get(path).status_code == 404


def test_who_asks_for_another_protocol_is_answered_in_this_one(api: Api) -> None:
    """WebSocket, or HTTP/2 without TLS."""
    for words in (b"websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13", b"h2c"):
        asked = b"GET /v1/limits HTTP/1.1\r\nHost: t\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n"
        answer = answer_to(api, asked % words)
        headers = {name.lower(): value for name, value in answer.getheaders()}
        declared().check("GET", "/v1/limits", answer.status, headers, answer.body)  # type: ignore[attr-defined]
        assert answer.status == 200
