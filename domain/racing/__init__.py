"""Words of the racecourse: the meeting, its seats and the facts that every game shares."""
