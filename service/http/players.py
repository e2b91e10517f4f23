"""Players and their roles."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Literal, cast

from msgspec import Meta, Struct

from domain.kernel.rejection import Malformed
from domain.racing.events import PlayerKind
from domain.registry import GAMES
from service.http import params
from service.http import problems as p
from service.http.bodies import Name, check_name, take
from service.http.call import Answer, Call, as_json
from service.http.operation import REGISTRATIONS, WRITES, Form, Operation
from service.lists import Seated
from service.players import ADMIN, ADMIN_ID, ROLES, Player, PlayerUnknown

NO_STORE = MappingProxyType({"Cache-Control": "no-store"})
TAG = "players"

Role = Annotated[Literal["player", "organiser", "admin"], Meta(title="Role")]


class NewPlayer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wants to play: a name of 1 to 40 characters, not unique."""

    name: Name


class Registered(Struct, frozen=True, kw_only=True):
    """A new player; the token is shown this once."""

    id: str
    name: str
    token: str


class NewRoles(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All roles that the player has from now on, each once."""

    roles: Annotated[list[Role], Meta(min_length=1, extra_json_schema={"uniqueItems": True})]


class PlayerCard(Struct, frozen=True, kw_only=True):
    """A player as everybody may know it."""

    id: str
    name: str
    kind: PlayerKind


class PlayerRoles(PlayerCard, frozen=True, kw_only=True):
    """The same with its roles."""

    roles: list[Role]


class Me(Struct, frozen=True, kw_only=True):
    """The caller: roles, and seats in meetings, those under way first, newest first."""

    id: str
    name: str
    roles: list[Role]
    seats: list[Seated]


def _card(player: Player) -> PlayerCard:
    return PlayerCard(id=player.id, name=player.name, kind=player.kind)


def _roles(player: Player) -> list[Role]:
    return cast(list[Role], list(player.roles))


@cache
def built_in_bots() -> Mapping[str, PlayerCard]:
    """The built-in bots of all games, which are players whose id is their name."""
    names = {name for game in GAMES.values() for name in game.bots}
    return {name: PlayerCard(id=name, name=name, kind="bot") for name in sorted(names)}


async def register(call: Call) -> Answer:
    """Make a player."""
    if call.deps.settings.registration == "closed" and not call.caller_has(ADMIN):
        raise p.Refusal(p.REGISTRATION_CLOSED)
    player, token = await call.deps.players.create(call.input.name)
    made = Registered(id=player.id, name=player.name, token=token)
    return as_json(made, 201, {**NO_STORE, "Location": f"/v1/players/{player.id}"})


def read_new_player(_call: Call, body: object) -> NewPlayer:
    """A body of `register` whose name may be one."""
    form = take(body, NewPlayer)
    check_name(form.name)
    return form


async def me(call: Call) -> Answer:
    """Who the caller is, and where it sits."""
    player = call.caller
    await call.deps.lobby.caught_up()
    seats = await call.deps.lobby.of_player(player.id)
    shown = Me(id=player.id, name=player.name, roles=_roles(player), seats=list(seats))
    return as_json(shown, headers=params.PRIVATE)


async def find_player(call: Call) -> None:
    """The player that the path names."""
    player_id = call.path("player")
    if not params.PLAYER_ID.fullmatch(player_id):
        raise PlayerUnknown(player_id)
    if player_id not in built_in_bots():
        call.player = await call.deps.players.get(player_id)


async def find_person(call: Call) -> None:
    """The same, where a built-in bot is none: it has no token and no roles."""
    await find_player(call)
    if call.player is None:
        raise PlayerUnknown(call.path("player"))


async def show(call: Call) -> Answer:
    """A player's card."""
    if call.player is None:
        return as_json(built_in_bots()[call.path("player")])
    return as_json(_card(call.player))


def read_roles(_call: Call, body: object) -> NewRoles:
    """A body of `set_roles` that names each role once."""
    form = take(body, NewRoles)
    if len(set(form.roles)) < len(form.roles):
        raise Malformed("roles names each role once.", "/roles")
    return form


async def set_roles(call: Call) -> Answer:
    """Give a player its roles."""
    if not call.caller_has(ADMIN):
        raise p.Refusal(p.NOT_ALLOWED)
    player_id = call.path("player")
    roles = tuple(role for role in ROLES if role in call.input.roles)
    if player_id == ADMIN_ID and ADMIN not in roles:
        raise p.Refusal(p.ADMIN_NEEDED)
    player = await call.deps.players.set_roles(player_id, roles)
    card = _card(player)
    return as_json(PlayerRoles(id=card.id, name=card.name, kind=card.kind, roles=_roles(player)))


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="RegisterPlayer",
        method="POST",
        path="/v1/players",
        tag=TAG,
        summary="Become a player",
        meaning="The token is shown this once. Where registration is closed, an admin does it.",
        handle=register,
        rate=REGISTRATIONS,
        bodies=(NewPlayer,),
        takes=read_new_player,
        answers={201: Form(kind=Registered)},
        answer_headers={201: {"Location": "The player."}},
        refusals=(p.REGISTRATION_CLOSED,),
    ),
    Operation(
        id="ShowMe",
        method="GET",
        path="/v1/me",
        tag=TAG,
        summary="Who am I, and where do I sit",
        handle=me,
        token="required",
        answers={200: Form(kind=Me)},
        answer_headers={200: params.TOLD_PRIVATE},
    ),
    Operation(
        id="ShowPlayer",
        method="GET",
        path="/v1/players/{player}",
        tag=TAG,
        summary="A player's card",
        handle=show,
        subject=find_player,
        path_parameters=(params.PLAYER,),
        answers={200: Form(kind=PlayerCard)},
        refusals=(p.PLAYER_NOT_FOUND,),
    ),
    Operation(
        id="SetRoles",
        method="PATCH",
        path="/v1/players/{player}",
        tag=TAG,
        summary="Give a player its roles (admin)",
        handle=set_roles,
        token="required",
        rate=WRITES,
        subject=find_person,
        path_parameters=(params.PLAYER,),
        bodies=(NewRoles,),
        takes=read_roles,
        answers={200: Form(kind=PlayerRoles)},
        refusals=(p.PLAYER_NOT_FOUND, p.NOT_ALLOWED, p.ADMIN_NEEDED),
    ),
)
