"""What a client can do about each refusal: a sentence or two for every code of a problem."""

from collections.abc import Mapping
from types import MappingProxyType

from service.http.problems import ProblemCode

_LOOK = "Read the board (`GET /v1/meetings/{meeting}/board`) and decide anew."
_ACTIONS = "`GET /v1/meetings/{meeting}/actions` lists what the seat may do now, ready to post."

ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "malformed": "Mend the request; sent again as it is, it is refused again. `pointer` says "
        "where in the body the fault is, `parameter` which parameter or header has it, `detail` "
        "what is wanted there.",
        "unauthorized": "Send `Authorization: Bearer <token>` with a live token. Tokens come from "
        "`POST /v1/players`; one that was rotated or ended is dead.",
        "not_your_seat": "Use a seat that is yours: `GET /v1/me` lists them. Leave `seat` out "
        "where you have one seat only.",
        "not_host": "Ask the host of the meeting, or an organiser.",
        "not_allowed": "Ask an admin of this server, who can also give you the role.",
        "registration_closed": "Ask an admin of this server for a player.",
        "log_closed": "Wait until the meeting is over. Your own part of it is in "
        "`GET /v1/meetings/{meeting}/events` at any time.",
        "not_found": "Check the path against `/openapi.json`.",
        "meeting_not_found": "Check the id; the lobby is `GET /v1/meetings`.",
        "seat_not_found": "Seats count from 1 to the number that the meeting was opened with.",
        "player_not_found": "Check the id; names are not unique and are no ids.",
        "game_not_found": "`GET /v1/games` lists the games of this server.",
        "method_not_allowed": "Use one of the methods that the header `Allow` names.",
        "not_acceptable": "Ask for one of the media types that `/openapi.json` has for this call, "
        "or leave `Accept` out.",
        "seat_required": "Say for which seat: `seat` in the query, or in the command.",
        "not_all_asked": "Every seated person who acted in the last 24 hours must ask for it by "
        "the same call; then the host may. An organiser may at any time.",
        "admin_needed": "Give the other roles beside `admin`, or give them to another player.",
        "body_too_large": "Send less; `GET /v1/limits` says how much a body may have.",
        "unsupported_media_type": "Send `Content-Type: application/json`, uncompressed, in UTF-8.",
        "idempotency_key_reused": "Use a new `Idempotency-Key` for a new call; the old one belongs "
        "to another body.",
        "rate_limited": "Wait as `Retry-After` says. `RateLimit` tells what is left before it "
        "comes to this, `GET /v1/limits` all rates.",
        "internal": "It isn't known whether it was done: look, or send the same again with the "
        "same `Idempotency-Key`, once or twice. The operator finds the cause in the server's log.",
        "log_unavailable": "Repeat the call as `Retry-After` says. With an `Idempotency-Key` that "
        "is safe in every case.",
        "log_diverged": "A client can do nothing, and no waiting heals it: an operator must decide "
        "which history holds, or lay a file of the archive back (`detail` says so). Go on with "
        "other meetings, and look again now and then at most.",
        "newer_release": "Repeat the call as `Retry-After` says: it reaches a newer process of the "
        "server, which goes on with the meeting.",
        "not_ready": "Wait; `parts` says which part is not ready and why.",
        "meeting_not_running": "Commands are for meetings in play: wait for the start, or look at "
        "the ranking if it is over.",
        "meeting_not_open": "Seats change before the start only.",
        "meeting_over": "Nothing changes any more; the log is open to all.",
        "seat_taken": "Choose a free seat, or leave `seat` out for the lowest that is free.",
        "seat_free": "There is nobody to free it from.",
        "seats_open": "Fill every seat first; a built-in bot can take one.",
        "stale_decision": "`events` tells what the seat has missed, `version` where it is now. "
        + _LOOK,
        "version_ahead": "Ask for a version up to `version` of the board, or for none.",
        "wrong_phase": "The command belongs to another phase. " + _ACTIONS,
        "not_your_turn": "Wait until the board's `to_act` has the seat.",
        "already_done": "It is done; go on. " + _LOOK,
        "card_not_in_hand": "Play a card that the board shows in the seat's `hand`.",
    }
)
"""Advice by code, for all that are not just a rule of a game."""


def advice_for(kind: ProblemCode) -> str:
    """What to do about a code; where a rule refuses: read it, and look at what may be done."""
    return ADVICE.get(kind.code) or f"`rule` names the rule that refuses. {_ACTIONS}"
