"""How the URL of a Redis Cluster names its nodes."""

from urllib.parse import urlsplit

CLUSTER = "+cluster"
"""The end of the scheme of a URL that names a Cluster."""

DEFAULT_PORT = 6379

Address = tuple[str, int]


def is_cluster(url: str) -> bool:
    """Whether a URL names a Cluster: redis+cluster://… or rediss+cluster://…"""
    return urlsplit(url).scheme.endswith(CLUSTER)


def nodes_of(url: str) -> list[Address]:
    """The nodes that such a URL names, with commas between; any of them will do to find the rest.

    Raises:
        ValueError: it names none, or what it names is no place.
    """
    found = []
    for place in urlsplit(url).netloc.rpartition("@")[2].split(","):
        parts = urlsplit(f"//{place}")
        if not parts.hostname or parts.port == 0:
            raise ValueError(place)
        found.append((parts.hostname, parts.port or DEFAULT_PORT))
    return found


def url_of(url: str, address: Address) -> str:
    """The URL of one node, with user and password of its Cluster's URL."""
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    host, port = address
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    scheme = parts.scheme.removesuffix(CLUSTER)
    return parts._replace(scheme=scheme, netloc=f"{user}{at}{place}", path="/0").geturl()
