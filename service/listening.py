"""The socket that the API listens on, made before anything runs: faults are told at once."""

import errno
import socket

BACKLOG = 2048
"""Callers that may wait while no API process takes them, for instance while one starts again."""


class CannotListen(Exception):
    """The text names the variable to change."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one.

    Raises:
        CannotListen: the port is taken, the address is not this machine's, or rights are missing.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind)
    except OSError as error:
        raise CannotListen(f"HOMESTRETCH_HOST is {host}: {error.strerror}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotListen(_why(error, host, port)) from error
    return listener


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"HOMESTRETCH_PORT is {port}: another program listens there; end it, or set another "
            "port"
        )
    if error.errno == errno.EACCES:
        return f"HOMESTRETCH_PORT is {port}: this user may not listen there; set one over 1023"
    return f"HOMESTRETCH_HOST is {host}: {error.strerror}"
