"""The player `admin`, made at the first start from the configured token or from one made then."""

import secrets
from contextlib import suppress
from pathlib import Path

from service.archive.files import FOR_OWNER, write_new
from service.players import ADMIN_ID, Players, PlayerUnknown

FILE = "admin-token"


async def ensure_admin(players: Players, configured: str | None, data: Path) -> Path | None:
    """Make sure that there is an admin; several processes may do so at once.

    A configured token that was not configured before becomes the admin's. Without one, a token is
    written to the data folder before it counts, so that it can't be lost on the way.

    Returns:
        The file with the token, where one was made now; else None.
    """
    if configured is not None:
        await players.configure_admin(configured, make_only=False)
        return None
    with suppress(PlayerUnknown):
        await players.get(ADMIN_ID)
        return None
    path = data / FILE
    made = f"hs_{ADMIN_ID}_{secrets.token_urlsafe(32)}"
    ours = write_new(path, f"{made}\n".encode("ascii"), FOR_OWNER)
    token = path.read_text("ascii").strip()
    if await players.configure_admin(token, make_only=True):
        return path
    if ours and await players.login(token) is None:  # a server with other data was faster
        path.unlink()
    return None
