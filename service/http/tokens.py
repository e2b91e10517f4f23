"""Tokens: rotate, give anew, end. A token is shown once, and no Idempotency-Key brings it back."""

from msgspec import Struct

from service.http import params
from service.http import problems as p
from service.http.bodies import Nothing
from service.http.call import Answer, Call, as_json
from service.http.operation import WRITES, Form, Operation
from service.http.players import NO_STORE, TAG, find_person
from service.players import ADMIN


class TokenShown(Struct, frozen=True, kw_only=True):
    """A new token, shown this once."""

    token: str


async def rotate(call: Call) -> Answer:
    """Give the caller a new token."""
    _ = call.caller
    assert call.login is not None, "a caller has logged in"
    token = await call.deps.players.rotate(call.login)
    return as_json(TokenShown(token=token), headers=NO_STORE)


async def reissue(call: Call) -> Answer:
    """Give a player a new token in place of all it had."""
    if not call.caller_has(ADMIN):
        raise p.Refusal(p.NOT_ALLOWED)
    token = await call.deps.players.reissue(call.path("player"))
    return as_json(TokenShown(token=token), headers=NO_STORE)


async def revoke(call: Call) -> Answer:
    """End all tokens of a player."""
    if call.caller_id != call.path("player") and not call.caller_has(ADMIN):
        raise p.Refusal(p.NOT_ALLOWED)
    await call.deps.players.revoke(call.path("player"))
    return Answer(status=204)


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="RotateMyToken",
        method="POST",
        path="/v1/me/token",
        tag=TAG,
        summary="Get a new token",
        meaning="The old one works until the new one is first used, at most an hour.",
        handle=rotate,
        token="required",
        rate=WRITES,
        bodies=(Nothing,),
        body_needed=False,
        answers={200: Form(kind=TokenShown)},
    ),
    Operation(
        id="ReissueToken",
        method="POST",
        path="/v1/players/{player}/token",
        tag=TAG,
        summary="Give a player a new token (admin)",
        meaning="All tokens that the player had are dead.",
        handle=reissue,
        token="required",
        rate=WRITES,
        subject=find_person,
        path_parameters=(params.PLAYER,),
        bodies=(Nothing,),
        body_needed=False,
        answers={200: Form(kind=TokenShown)},
        refusals=(p.PLAYER_NOT_FOUND, p.NOT_ALLOWED),
    ),
    Operation(
        id="RevokeToken",
        method="DELETE",
        path="/v1/players/{player}/token",
        tag=TAG,
        summary="End a player's tokens (its owner, or an admin)",
        handle=revoke,
        token="required",
        rate=WRITES,
        subject=find_person,
        path_parameters=(params.PLAYER,),
        answers={204: None},
        refusals=(p.PLAYER_NOT_FOUND, p.NOT_ALLOWED),
    ),
)
