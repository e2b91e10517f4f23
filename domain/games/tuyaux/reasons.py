"""Every refusal, in order of precedence, each with its rule.

The common ones of the state of play (409) come before any of these: meeting_not_running,
stale_decision, wrong_phase, not_your_turn, already_done.
"""

from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Reason, rule

NOT_A_STARTER = rule("TU-B1", "not_a_starter", "A bet is on starters of this race.")
BET_FIELDS = rule("TU-B3", "bet_fields", "Give exactly the parts of a bet that the option asks.")
BET_COUNT = rule("TU-B3", "bet_count", "Another number of horses is asked.")
BET_TWICE = rule("TU-B3", "bet_repeats_horse", "The same horse can't be named twice there.")

CARD_NOT_IN_HAND = rule("TU-T1", "card_not_in_hand", "That tip is not in your hand.")

REASONS: tuple[Reason, ...] = (
    NOT_YOUR_TURN,
    ALREADY_DONE,
    NOT_A_STARTER,
    BET_FIELDS,
    BET_COUNT,
    BET_TWICE,
    CARD_NOT_IN_HAND,
)
