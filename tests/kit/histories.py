"""Made-up meetings of made-up games, as lines of a log: what projections fold in tests."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from domain.kernel.lines import GENESIS, canonical, chain
from projections.facts import Fact, read_fact
from projections.projection import Projection
from projections.terms import BuiltIn, Terms
from service.ports import EventLog, Head, Line

START = datetime(2026, 5, 1, 14, 0, tzinfo=UTC)
GAMES = ("hurdles", "steeplechase")
SEAT_COUNTS = (2, 3, 4)
OPTIONS: dict[str, Any] = {"laps": 3, "mud": False}

TERMS = Terms(
    defaults={game: dict.fromkeys(SEAT_COUNTS, OPTIONS) for game in GAMES},
    bots={
        game: {
            "random": BuiltIn(player="bot-random", name="Random", rating=2.0),
            "steady": BuiltIn(player="bot-steady", name="Steady", rating=20.0),
        }
        for game in GAMES
    },
)


def moment(seconds: float) -> str:
    """So many seconds after the start, as the log writes times."""
    at = START + timedelta(seconds=seconds)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Story:
    """One meeting told step by step; each call is a command of one or more events."""

    def __init__(self, meeting: str, *, at: float = 0.0) -> None:
        self.meeting = meeting
        self.at = at
        self.commands: list[list[dict[str, Any]]] = []
        self._seq = 0

    def tell(self, *events: dict[str, Any]) -> "Story":
        """A command of these events."""
        told = []
        for event in events:
            self._seq += 1
            envelope = {"seq": self._seq, "at": moment(self.at), "meeting": self.meeting}
            told.append({"audience": "public", **envelope, **event})
        self.commands.append(told)
        return self

    def open(
        self,
        game: str = "hurdles",
        *,
        seats: int = 2,
        name: str | None = "Spring Cup",
        options: dict[str, Any] | None = None,
        arranged: bool = False,
        host: str = "ann",
    ) -> "Story":
        """The table is open."""
        return self.tell(
            {
                "type": "meeting_opened",
                "game": game,
                "rules": "1",
                "name": name,
                "options": OPTIONS if options is None else options,
                "seats": seats,
                "host": host,
                "start": "manual",
                "arranged": arranged,
                "commitment": "c0" * 32,
                "private": {"server": {"salt": "00" * 16, "seed": "5e" * 32}},
            }
        )

    def reserve(self, seat: int, player: str) -> "Story":
        """A seat is kept."""
        event = {"type": "seat_reserved", "seat": seat, "player": player, "name": player.title()}
        return self.tell(event)

    def sit(self, seat: int, player: str, *, name: str | None = None) -> "Story":
        """A person sits down."""
        return self.tell(_sit(seat, player, name or player.title(), "human", None))

    def sit_bot(self, seat: int, bot: str) -> "Story":
        """A built-in bot sits down."""
        return self.tell(_sit(seat, f"bot-{bot}", bot.title(), "bot", bot))

    def leave(self, seat: int, player: str) -> "Story":
        """A seat is free again."""
        return self.tell({"type": "seat_left", "seat": seat, "player": player})

    def begin(self, seats: int) -> "Story":
        """Play begins, and with it race 1."""
        return self.tell(
            {"type": "meeting_started", "nonces": [""] * seats},
            {"type": "race_opened", "race": 1, "races": 2},
        )

    def play(self, count: int = 1, *, audience: Any = "public") -> "Story":
        """Moves of the game, which projections know nothing about."""
        for number in range(count):
            self.tell({"type": "hurdles.jumped", "fence": number, "audience": audience})
        return self

    def finish(self, ranks: Sequence[int], *, at: float | None = None) -> "Story":
        """The ranking, by seat."""
        self.at = self.at if at is None else at
        ranking = [
            {"seat": seat, "rank": rank, "points": 100 - rank} for seat, rank in enumerate(ranks, 1)
        ]
        ranking.sort(key=lambda line: (line["rank"], line["seat"]))
        event = {"type": "meeting_finished", "ranking": ranking, "seed": "5e" * 32}
        return self.tell({"type": "race_closed", "race": 1}, event)

    def abandon(self) -> "Story":
        """No result."""
        return self.tell({"type": "meeting_abandoned", "reason": "asked", "seed": "5e" * 32})

    def cut(self, commands: int) -> "Story":
        """Forget what came after so many commands."""
        del self.commands[commands:]
        self._seq = sum(len(command) for command in self.commands)
        return self

    def bodies(self) -> list[bytes]:
        """The lines, without hashes."""
        return [canonical(event) for command in self.commands for event in command]

    def facts(self, projection: Projection) -> list[Fact]:
        """What a projection sees of them."""
        return facts_of(self.bodies(), projection)


def _sit(seat: int, player: str, name: str, kind: str, bot: str | None) -> dict[str, Any]:
    return {
        "type": "seat_taken",
        "seat": seat,
        "player": player,
        "name": name,
        "kind": kind,
        "bot": bot,
        "nonce_hash": None,
    }


def facts_of(bodies: Iterable[bytes], projection: Projection) -> list[Fact]:
    """What a projection sees of these lines."""
    seen = (read_fact(body, projection.handles, projection.passing) for body in bodies)
    return [fact for fact in seen if fact is not None]


def finished(
    meeting: str,
    players: Sequence[str],
    ranks: Sequence[int],
    *,
    at: float,
    game: str = "hurdles",
    **opened: Any,
) -> Story:
    """A meeting from start to end; a player `bot:steady` is the built-in bot steady."""
    story = Story(meeting, at=at - 600).open(game, seats=len(players), **opened)
    for seat, player in enumerate(players, 1):
        if player.startswith("bot:"):
            story.sit_bot(seat, player.removeprefix("bot:"))
        else:
            story.sit(seat, player)
    return story.begin(len(players)).play(2).finish(ranks, at=at)


def season(seed: int, meetings: int = 30) -> list[Story]:
    """Random meetings: some still open, some abandoned, most finished, few unrated."""
    random = Random(seed)
    people = [f"player-{number}" for number in range(8)]
    stories = []
    for number in range(meetings):
        seats = random.choice(SEAT_COUNTS)
        who = random.sample([*people, "bot:random", "bot:steady"], seats)
        story = finished(
            f"m{seed}-{number:03d}",
            who,
            [random.randint(1, seats) for _ in who],
            at=600 + random.randint(0, 40),  # many at the same time
            game=random.choice(GAMES),
            arranged=random.random() < 0.1,
            options={"laps": 9} if random.random() < 0.1 else None,
            name=random.choice(["Spring Cup", "Grand National", None]),
        )
        fate = random.random()
        if fate < 0.3:
            story.cut(random.randint(1, len(story.commands) - 1))
        if fate < 0.1:
            story.abandon()
        stories.append(story)
    return stories


async def store(log: EventLog, story: Story, upto: int | None = None) -> None:
    """Append the commands of a story that the log does not have yet, as far as wanted."""
    head = await log.head(story.meeting) or Head(version=0, digest=GENESIS)
    done = 0
    for command in story.commands[:upto]:
        done += len(command)
        if done <= head.version:
            continue
        head = await store_lines(log, story.meeting, head, [canonical(e) for e in command])


async def store_lines(log: EventLog, meeting: str, head: Head, bodies: list[bytes]) -> Head:
    """Append one command of these lines; the head after it."""
    lines, digest = [], head.digest
    for version, body in enumerate(bodies, head.version + 1):
        digest = chain(digest, body)
        lines.append(Line(version, body, digest))
    await log.append(meeting, head, f"c{head.version}", "print", lines)
    return Head(version=lines[-1].version, digest=digest)


async def mingle(log: EventLog, stories: Sequence[Story], seed: int) -> None:
    """Append the commands of many stories in turns, as they come in real life."""
    random = Random(seed)
    turns = [story for story in stories for _ in story.commands]
    random.shuffle(turns)
    told = dict.fromkeys((story.meeting for story in stories), 0)
    for story in turns:
        told[story.meeting] += 1
        await store(log, story, told[story.meeting])
