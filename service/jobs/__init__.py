"""What happens by itself: bots' turns, settlements, endings; all of it derived from the log."""
