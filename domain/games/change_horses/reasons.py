"""Every refusal, in order of precedence, each with its rule.

The common ones of the state of play (409) come before any of these: meeting_not_running,
stale_decision, wrong_phase, not_your_turn, already_done.
"""

from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Reason, rule

PICK_COUNT_FIRST = rule("CH-R1", "pick_count", "Pick exactly 3 cards.")
PICK_HELD_FIRST = rule("CH-R1", "pick_not_held", "Pick cards of your hand, each once.")
PICK_COUNT_LATER = rule("CH-R4", "pick_count", "Pick exactly 2 cards.")
PICK_HELD_LATER = rule("CH-R4", "pick_not_held", "Pick cards of your hand, each once.")
PICK_COUNT_TWO = rule("CH-2B", "pick_count", "Pick as many cards as this round needs.")
PICK_HELD_TWO = rule("CH-2B", "pick_not_held", "Pick cards of your hand, each once.")

BID_RANGE = rule("CH-D2", "bid_out_of_range", "Bid from 1 to the carrots that you hold.")
BID_TAKEN = rule("CH-D2", "bid_taken", "Another seat bids that number.")
BID_LOW = rule("CH-D3", "bid_not_raised", "A raise is above your own bid.")
STAND_EARLY = rule("CH-D3", "bid_first", "A seat that can bid may not decline.")

WILD_NONE = rule("CH-W5", "no_wild_left", "You have no Wild Horse card left.")
STUMBLE_CARD = rule("CH-W1", "card_not_open", "No such uncovered card is on the board.")
SLIPPERY_COUNT = rule("CH-W2", "two_moves", "Two different horses move, one step each.")
SLIPPERY_WAY = rule("CH-W2", "no_way", "A horse stays on the track, and off occupied spaces.")
CHANGE_OWN = rule("CH-W4", "not_your_horse", "Name a horse whose certificate you hold.")

CARD_SHOWN = rule("CH-R2", "card_not_shown", "Play one of your shown cards.")
CARD_SHOWN_TWO = rule("CH-2B", "card_not_shown", "Play one of your shown cards.")

REASONS: tuple[Reason, ...] = (
    NOT_YOUR_TURN,
    ALREADY_DONE,
    PICK_COUNT_FIRST,
    PICK_HELD_FIRST,
    PICK_COUNT_LATER,
    PICK_HELD_LATER,
    PICK_COUNT_TWO,
    PICK_HELD_TWO,
    BID_RANGE,
    BID_TAKEN,
    BID_LOW,
    STAND_EARLY,
    WILD_NONE,
    STUMBLE_CARD,
    SLIPPERY_COUNT,
    SLIPPERY_WAY,
    CHANGE_OWN,
    CARD_SHOWN,
    CARD_SHOWN_TWO,
)
