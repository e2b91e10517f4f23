"""Plays a whole meeting of each game with a client made by openapi-python-client.

    python play.py http://127.0.0.1:8080 bookmaker tuyaux

Two people sit down, both played by this program; the third seat is a bot of the server. What
happened is written as JSON, a line for each meeting.
"""

import json
import sys
import time
from collections import Counter
from typing import TypeVar
from uuid import uuid4

from homestretch_client import AuthenticatedClient, Client
from homestretch_client import models as m
from homestretch_client.api.lists import show_leaderboard
from homestretch_client.api.meetings import open_meeting, show_meeting, start_meeting
from homestretch_client.api.play import give_command
from homestretch_client.api.players import register_player
from homestretch_client.api.seats import take_seat
from homestretch_client.api.views import export_log, list_actions, list_events, show_board
from homestretch_client.types import UNSET

T = TypeVar("T")
OpenMeeting = (
    m.BookmakerOpenMeeting
    | m.ChangeHorsesOpenMeeting
    | m.TicketGagnantOpenMeeting
    | m.TuyauxOpenMeeting
)


class Refused(Exception):
    """A refusal: what the server says is wrong, in a form that programs can read."""

    def __init__(self, problem: m.Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem


def told(answer: T | m.Problem | None) -> T:
    """What was answered; a refusal is raised."""
    if isinstance(answer, m.Problem):
        raise Refused(answer)
    assert answer is not None, "an answer that the document doesn't know"
    return answer


def refused(answer: object) -> m.Problem:
    """Why a call was refused."""
    assert isinstance(answer, m.Problem), answer
    return answer


def register(url: str, name: str) -> tuple[AuthenticatedClient, str]:
    """A new player: a client with its token, and its id."""
    anybody = Client(url)
    body = m.NewPlayer(name=name)
    # A token is optional here, which the generator takes for needed.
    made = told(register_player.sync(client=anybody, body=body))  # type: ignore[arg-type]
    return AuthenticatedClient(url, made.token), made.id


def table(game: str) -> OpenMeeting:
    """A table of three; of each game one option is set, to the value that it has by default."""
    match game:
        case "bookmaker":
            return m.BookmakerOpenMeeting(
                game="bookmaker", seats=3, options=m.BookmakerOptions(cash=1_000)
            )
        case "change-horses":
            return m.ChangeHorsesOpenMeeting(
                game="change-horses", seats=3, options=m.ChangeHorsesOptions(finish=12)
            )
        case "ticket-gagnant":
            return m.TicketGagnantOpenMeeting(
                game="ticket-gagnant",
                seats=3,
                options=m.TicketGagnantOptions(wild=m.TicketGagnantOptionsWild.FREE),
            )
        case "tuyaux":
            return m.TuyauxOpenMeeting(
                game="tuyaux", seats=3, options=m.TuyauxOptions(open_bets=False)
            )
    raise ValueError(f"this client knows no {game}")


def act(player: AuthenticatedClient, meeting: str, turn: int) -> bool:
    """Give one command, if one is owed; false where none is, or the table moved on meanwhile."""
    may = told(list_actions.sync(meeting, client=player))
    if may.default is None or may.decision is None:
        return False
    command = may.default if turn % 3 == 0 else may.actions[turn % len(may.actions)]
    command.decision = may.decision
    key = uuid4().hex  # posted again it would be done once only
    answer = give_command.sync(meeting, client=player, body=command, idempotency_key=key)
    if isinstance(answer, m.Problem) and answer.code == "stale_decision":
        return False
    return told(answer).version > 0


def story(player: AuthenticatedClient, meeting: str) -> Counter[str]:
    """What a reader of the feed makes of it: each type of event has its own fields."""
    counts: Counter[str] = Counter()
    after: int | None = 0
    while after is not None:
        page = told(list_events.sync(meeting, client=player, after=after))
        for event in page.items:
            match event:
                case m.MeetingFinished():
                    counts["places"] = len(event.ranking)
                case m.BookmakerBetPlaced():
                    counts["staked"] += event.stake
                case m.ChangeHorsesCardPlayed() | m.TicketGagnantCardPlayed():
                    counts[event.card] += 1
                case m.TuyauxTipPlayed(command=m.TuyauxPlayTip() as command):
                    counts[command.card.value] += 1
        after = page.next_cursor
    return counts


def leaders(player: AuthenticatedClient, id_: str, game: str) -> list[m.LeaderboardRow]:
    """The leaderboard, once a meeting of this player counts in it."""
    while True:
        page = told(show_leaderboard.sync(game, client=player))
        if any(row.player == id_ for row in page.items):
            return page.items
        time.sleep(0.05)


def play(url: str, game: str) -> dict[str, object]:
    """A whole meeting."""
    (ann, id_), (ben, _) = register(url, "Ann"), register(url, "Ben")
    meeting = told(open_meeting.sync(client=ann, body=table(game))).id
    told(take_seat.sync(meeting, client=ann, body=m.SeatAsk(nonce="a number of Ann's")))

    seats_open = refused(start_meeting.sync(meeting, client=ann)).code
    bet = m.TuyauxBet(type_="tuyaux.bet", win=UNSET)
    early = refused(give_command.sync(meeting, client=ann, body=bet)).code

    told(take_seat.sync(meeting, client=ann, body=m.SeatAsk(bot=m.BotName.STEADY)))
    told(take_seat.sync(meeting, client=ben, body=m.SeatAsk()))
    summary = told(start_meeting.sync(meeting, client=ann))
    commands = 0
    while summary.status == "running":
        acted = [act(ann, meeting, commands), act(ben, meeting, commands)]
        commands += sum(acted)
        if not any(acted):
            time.sleep(0.02)
        summary = told(show_meeting.sync(meeting, client=ann))

    assert summary.ranking is not None
    return {
        "meeting": meeting,
        "game": told(show_board.sync(meeting, client=ann)).game,
        "refused": [seats_open, early],
        "commands": commands,
        "ranking": [place.to_dict() for place in summary.ranking],
        "seen": story(ann, meeting),
        "log_lines": told(export_log.sync(meeting, client=ann)).count("\n"),
        "leaders": [row.to_dict() for row in leaders(ann, id_, game)],
    }


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(json.dumps(play(sys.argv[1], name)), flush=True)
