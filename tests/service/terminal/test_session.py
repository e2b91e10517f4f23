"""A person at a table of bots: scripted input from the first prompt to the end."""

import re
from collections.abc import Callable, Iterator
from io import StringIO
from random import Random

import pytest
from rich.console import Console

from domain.registry import GAMES
from service.simulation import LocalMeeting
from service.terminal.session import Session

YOU = 1


class Table:
    """A session of four seats on a fixed seed, typed by a script."""

    def __init__(self, typed: Callable[[str], str], **options: object) -> None:
        game = GAMES["bookmaker"]
        self.local = LocalMeeting(
            game, options=game.read_options(options, 4), seats=4, seed=bytes(32)
        )
        self.local.sit(YOU, "You")
        bots = {}
        for seat in (2, 3, 4):
            self.local.sit(seat, "Bot", "steady")
            bots[seat] = game.bots["steady"]
        self.local.start()
        self._out = StringIO()
        console = Console(file=self._out, width=100, highlight=False)
        self.pauses: list[float] = []
        choosers = {seat: Random(seat) for seat in bots}
        self.session = Session(self.local, YOU, bots, choosers, console, typed, self.pauses.append)

    @property
    def text(self) -> str:
        """What was shown."""
        return self._out.getvalue()


def script(*lines: str) -> Callable[[str], str]:
    """Types these lines, then there is no more input."""
    left: Iterator[str] = iter(lines)

    def typed(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return typed


def first_action(prompt: str) -> str:
    """Takes the first action listed, and lets the others go on."""
    return "wait" if "Enter" in prompt else "1"


@pytest.mark.parametrize(
    "options", [{}, {"programme": ["joker_trot"] * 2, "brocco": True}, {"in_running": True}]
)
def test_a_whole_meeting_is_played_by_numbers(options: dict[str, object]) -> None:
    random = Random(3)

    def typed(prompt: str) -> str:
        if "Enter" in prompt:
            return random.choice(["", "wait", "next"])
        return str(random.choice([1, 1, 1, 2]))

    table = Table(typed, **options)
    assert table.session.play()
    assert "Ranking" in table.text
    assert table.pauses


def test_what_is_shown_of_cards_is_what_the_seat_may_see() -> None:
    """Hands of others are nowhere in what is shown while the cards are dealt."""
    table = Table(script())
    assert not table.session.play()
    hands = table.local.full.table.hands
    visible = set(table.local.full.table.open_cards) | set(hands[YOU - 1])
    shown = set(re.findall(r"[a-z]+-\d+", table.text))
    assert visible <= shown
    for hand in hands[1:]:
        assert all(card in visible or card not in shown for card in hand)


def test_a_refusal_is_shown_with_its_rule_and_the_rules_text() -> None:
    table = Table(script("borrow 7", '{"type": "bookmaker.borrow", "amount": 100}'))
    table.session.play()
    assert "Refused: A loan is a multiple of 10, at least 10. (BM-L1)" in table.text
    assert "BM-L1  Any seat may borrow from the bank" in table.text
    assert table.local.full.table.loan[YOU - 1] == 100


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("999", "Not understood: there is no action 999"),
        ("{", "Not understood: that is no JSON"),
        ("{}", "Not understood: "),
        ('{"type": "bookmaker.settle_race"}', "Not understood: "),
        ("jump high", "Not understood: type `help`"),
        ("jump", "Not understood: there is no command jump"),
        ("borrow amount=x", "Not understood: "),
        ("borrow amount=7", "Refused: "),
        (
            "name red",
            "Refused: It is the phase `exchange` now; `bookmaker.name_brocco` goes in `brocco`.",
        ),
    ],
)
def test_what_can_not_be_done_is_said_and_nothing_changes(typed: str, said: str) -> None:
    table = Table(script(typed))
    version = None
    if not table.session.play():
        version = table.local.view(YOU).version
    assert said in table.text
    again = Table(script())
    again.session.play()
    assert again.local.view(YOU).version == version


def test_help_names_everything_that_may_be_typed() -> None:
    table = Table(script("help"))
    table.session.play()
    for word in ("a number", "board · actions", "rules [BM-B1]", "wait", "quit", "borrow 100"):
        assert word in table.text


def test_rules_are_listed_and_shown_by_id() -> None:
    table = Table(script("rules", "rules bm-b2", "rules BM-X9"))
    table.session.play()
    assert "BM-S1, BM-S2" in table.text
    assert "BM-B2  A bet of 10 can't be refused" in table.text
    assert "There is no rule BM-X9" in table.text


def test_board_and_actions_are_shown_when_asked_for() -> None:
    table = Table(script("board", "actions"))
    table.session.play()
    assert table.text.count("bookmaker · race 1 of 2") == 2
    assert table.text.count("borrow: amount 10") == 2


def test_quitting_ends_the_session() -> None:
    table = Table(script("quit"))
    assert not table.session.play()
    assert table.text.rstrip().endswith("You leave the table.")


def test_who_must_act_can_not_wait() -> None:
    table = Table(script("wait", "next"))
    table.session.play()
    assert table.text.count("You must act first") == 2


def test_the_others_go_on_one_by_one_or_until_it_is_the_persons_turn() -> None:
    """Where the seat may act without owing it, each Enter is one move of somebody else."""
    prompts: list[str] = []

    def typed(prompt: str) -> str:
        prompts.append(prompt)
        return "" if "Enter" in prompt else "1"

    one_by_one = Table(typed, in_running=True)
    assert one_by_one.session.play()
    asked = sum("Enter" in prompt for prompt in prompts)
    prompts.clear()

    def waits(prompt: str) -> str:
        prompts.append(prompt)
        return first_action(prompt)

    waiting = Table(waits, in_running=True)
    assert waiting.session.play()
    assert sum("Enter" in prompt for prompt in prompts) < asked
