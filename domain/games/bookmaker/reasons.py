"""Every refusal, in order of precedence, each with its rule.

The common ones of the state of play (409) come before any of these: meeting_not_running,
stale_decision, wrong_phase, not_your_turn, already_done.
"""

from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Reason, rule

EXCHANGE_COUNT = rule("BM-D2", "exchange_two_cards", "Exactly two cards change hands.")
EXCHANGE_HELD = rule("BM-D2", "card_not_held", "Both cards must be in your hand as dealt.")

ODDS_STEP = rule("BM-O1", "odds_off_step", "Odds go in the meeting's steps.")
ODDS_RANGE = rule("BM-O1", "odds_out_of_range", "Odds are at least 1 and at most 100.")
ODDS_SUM = rule("BM-O1", "odds_sum_too_low", "The four odds sum to at least 10.")
LIMIT_NEGATIVE = rule("BM-B2", "limit_negative", "A limit is a whole number from 0.")

BOOK_OWN = rule("BM-B1", "own_book", "A bookmaker does not bet with itself.")
BOOK_NONE = rule("BM-B1", "no_such_book", "This seat is no bookmaker of this race.")
BOOKMAKER_LONE = rule("BM-B1", "lone_bookmaker", "A lone bookmaker does not bet.")
DECLARED = rule("BM-B6", "declared_done", "A seat that has declared offers nothing more.")
STAKE_STEP = rule("BM-B1", "stake_off_step", "A stake is a multiple of 10, at least 10.")
HORSE_CLOSED = rule("BM-B1", "horse_closed", "There are no odds on this horse in this book.")
ODDS_MOVED = rule("BM-B3", "odds_moved", "Other odds are shown now.")
OFFERS_TOO_MANY = rule("BM-B7", "offers_exhausted", "A seat makes at most 20 offers.")
OFFERS_RUNNING = rule("BM-I1", "offers_exhausted", "At most 3 offers between two cards.")
STAKE_CASH = rule(
    "BM-B1", "stake_above_cash", "The stake and your waiting offers exceed your cash."
)

ANSWER_TURN = rule("BM-B4", "another_first", "Another offer on this horse is answered first.")
ANSWER_STAKE = rule("BM-B2", "answer_out_of_range", "Accept a multiple of 10, up to the offer.")
ANSWER_RUNNING = rule("BM-I1", "answer_out_of_range", "Accept 0 or a multiple of 10, up to it.")

CHANGE_NOTHING = rule("BM-B5", "nothing_changed", "Change the odds or give a limit.")
CHANGE_LIMITS = rule("BM-B5", "limits_exhausted", "Limits alone are set at most 20 times.")
CHANGE_TOO_MANY = rule("BM-B7", "changes_exhausted", "At most 10 changes of odds in a race.")
CHANGE_EARLY = rule("BM-B5", "no_bet_since", "A change needs a bet accepted since the last one.")
CHANGE_RANGE = rule("BM-B5", "odds_out_of_range", "Odds are 0, or 1 to 100 in steps.")
CHANGE_SUM = rule("BM-B5", "odds_sum_too_low", "The four odds sum to at least 10.")
CHANGE_LOWER = rule("BM-B5", "no_bet_on_horse", "Lowering needs a bet accepted on that horse.")

DONE_EARLY = rule("BM-B6", "bet_first", "A bettor needs a bet or an offer that waits.")

LOAN_STEP = rule("BM-L1", "loan_off_step", "A loan is a multiple of 10, at least 10.")
LOAN_TOTAL = rule("BM-L1", "loan_too_large", "At most 1,000,000 may be borrowed in all.")
LOAN_COUNT = rule("BM-L1", "loans_exhausted", "At most 20 loans in a race.")

JOKER_NONE = rule("BM-J2", "no_joker", "There is no joker in your hand.")
UNTIL_OUT = rule("BM-J2", "until_horse_out", "The horse named is out.")
UNTIL_SPACE = rule("BM-J2", "until_space", "The space must be ahead of the horse, at most 10.")

SHOW_RANGE = rule("BM-I1", "odds_out_of_range", "Odds shown are 1 to 100 in steps.")
SHOW_OUT = rule("BM-I1", "horse_out", "Odds are shown on horses still in.")
SHOW_TOO_MANY = rule("BM-I1", "shows_exhausted", "At most 3 times between two cards.")

REASONS: tuple[Reason, ...] = (
    NOT_YOUR_TURN,
    ALREADY_DONE,
    EXCHANGE_COUNT,
    EXCHANGE_HELD,
    ODDS_STEP,
    ODDS_RANGE,
    ODDS_SUM,
    LIMIT_NEGATIVE,
    BOOK_OWN,
    BOOK_NONE,
    BOOKMAKER_LONE,
    DECLARED,
    STAKE_STEP,
    HORSE_CLOSED,
    ODDS_MOVED,
    OFFERS_TOO_MANY,
    OFFERS_RUNNING,
    STAKE_CASH,
    ANSWER_TURN,
    ANSWER_STAKE,
    ANSWER_RUNNING,
    CHANGE_NOTHING,
    CHANGE_LIMITS,
    CHANGE_TOO_MANY,
    CHANGE_EARLY,
    CHANGE_RANGE,
    CHANGE_SUM,
    CHANGE_LOWER,
    DONE_EARLY,
    LOAN_STEP,
    LOAN_TOTAL,
    LOAN_COUNT,
    JOKER_NONE,
    UNTIL_OUT,
    UNTIL_SPACE,
    SHOW_RANGE,
    SHOW_OUT,
    SHOW_TOO_MANY,
)
