"""Rates over HTTP: who counts as one caller, and what the headers tell of a bucket.

A caller is a player, and where nobody is told to call, or a player is to be made, an address.
"""

from collections.abc import Mapping
from functools import cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from litestar.types import Scope

from service.http import problems as p
from service.http.call import Call
from service.http.operation import READS, REGISTRATIONS, WRITES
from service.limits import Policy, Verdict
from service.players import ADMIN
from service.settings import Settings

_V6_PREFIX = 64


async def admit(call: Call) -> None:
    """Count the call in its bucket.

    Raises:
        Refusal: the bucket is empty (429).
    """
    settings = call.deps.settings
    rate = call.operation.rate
    if rate is None or not settings.rate_limit:
        return
    if rate == REGISTRATIONS and call.caller_has(ADMIN):
        return
    policy = policies(settings)[rate]
    if call.login is None or rate == REGISTRATIONS:
        who = address_of(call.scope, call.headers, settings.trusted_proxies)
    else:
        who = call.login.player.id
    verdict = await call.deps.limits.spend(policy, who)
    call.verdict = (policy, verdict)
    if not verdict.allowed:
        raise p.Refusal(
            p.RATE_LIMITED,
            headers={"Retry-After": str(verdict.wait), **headers(policy, verdict)},
            bucket=policy.name,
        )


def policies(settings: Settings) -> Mapping[str, Policy]:
    """The rates by name."""
    return _policies(
        settings.reads_per_minute, settings.writes_per_minute, settings.registrations_per_hour
    )


@cache
def _policies(reads: int, writes: int, registrations: int) -> Mapping[str, Policy]:
    rates = (
        Policy(name=READS, quota=reads, seconds=60, by="caller"),
        Policy(name=WRITES, quota=writes, seconds=60, by="caller"),
        Policy(name=REGISTRATIONS, quota=registrations, seconds=3600, by="address"),
    )
    return {policy.name: policy for policy in rates}


def headers(policy: Policy, verdict: Verdict) -> dict[str, str]:
    """What a bucket still has, in the form of draft-ietf-httpapi-ratelimit-headers-10.

    `r` calls may follow; in `t` seconds there is one more.
    """
    return {
        "RateLimit": f'"{policy.name}";r={verdict.left};t={verdict.wait}',
        "RateLimit-Policy": f'"{policy.name}";q={policy.quota};w={policy.seconds}',
    }


def address_of(scope: Scope, told: Mapping[str, str], proxies: tuple[str, ...]) -> str:
    """Whose address a call comes from: behind trusted proxies the nearest one that is none.

    Addresses of IPv6 count by their network of 64 bits: that is what one caller has.

    Args:
        scope: of ASGI.
        told: the headers.
        proxies: the addresses or networks of proxies whose X-Forwarded-For is believed.
    """
    client = scope.get("client")
    hops = [client[0] if client else ""]
    if proxies:
        hops += reversed(told.get("x-forwarded-for", "").split(","))
    trusted = _networks(proxies)
    found = ""
    for hop in hops:
        try:
            address = ip_address(hop.strip())
        except ValueError:
            break
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        found = str(address)
        if isinstance(address, IPv6Address):
            found = str(IPv6Network((int(address), _V6_PREFIX), strict=False))
        if not any(address in network for network in trusted):
            break
    return found or "unknown"


@cache
def _networks(proxies: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(text) for text in proxies)
