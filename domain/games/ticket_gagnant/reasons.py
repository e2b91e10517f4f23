"""Every refusal, in order of precedence, each with its rule.

The common ones of the state of play (409) come before any of these: meeting_not_running,
stale_decision, wrong_phase, not_your_turn, already_done.
"""

from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Reason, rule

CHOICE_KIND = rule("TG-S4", "flat_only", "Only flat races are run in this meeting.")
CHOICE_DEAL = rule("TG-S4", "deal_out_of_range", "Three to seven cards are dealt.")
CHOICE_RIVER = rule("TG-S4", "river_misplaced", "A steeplechase, and it alone, has a river.")
CHOICE_HEDGE = rule("TG-S4", "hedge_unknown", "The river lies at hedge 1 or 2.")

PREDICT_NONE = rule("TG-B1", "prediction_empty", "Predict at least one horse.")
PREDICT_TWICE = rule("TG-B1", "horse_twice", "A horse is predicted on one place only.")

CARD_NOT_IN_HAND = Reason(code="card_not_in_hand", status=422, detail="You do not hold this card.")
SPACES_RANGE = rule("TG-M4", "spaces_out_of_range", "A wild card moves 1 to 3 spaces.")
MOVE_NOTHING = rule("TG-M2", "nothing_left_of_move", "Nothing is left of this move.")
LINE_NO_RETURN = rule("TG-M10", "no_return", "A horse past the line never comes back.")
PAIR_HORSE = rule("TG-M5", "horse_not_of_pair", "The pair moves one of its own two horses.")
PAIR_SPACE = rule("TG-M5", "pair_space", "That space is no place for this horse.")
DISPLACED_NONE = rule("TG-M6", "nobody_displaced", "Nobody is displaced by this play.")
DISPLACED_STUCK = rule("TG-M6", "no_free_space", "The horse that stood there has no place to go.")
DISPLACED_MISSING = rule("TG-M6", "displaced_to_missing", "Say where the displaced horse goes.")
DISPLACED_SPACE = rule("TG-M6", "displaced_to_space", "The displaced horse can't go there.")
DISCARD_PLAYABLE = rule("TG-M11", "legal_play_held", "You hold a legal play and must make one.")

REASONS: tuple[Reason, ...] = (
    NOT_YOUR_TURN,
    ALREADY_DONE,
    CHOICE_KIND,
    CHOICE_DEAL,
    CHOICE_RIVER,
    CHOICE_HEDGE,
    PREDICT_NONE,
    PREDICT_TWICE,
    CARD_NOT_IN_HAND,
    SPACES_RANGE,
    MOVE_NOTHING,
    LINE_NO_RETURN,
    PAIR_HORSE,
    PAIR_SPACE,
    DISPLACED_NONE,
    DISPLACED_STUCK,
    DISPLACED_MISSING,
    DISPLACED_SPACE,
    DISCARD_PLAYABLE,
)
