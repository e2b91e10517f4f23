"""The archive: logs of meetings that are over, and old parts of the feeds, as files in a folder."""

OFF, OK, AWAY, DAMAGED = "off", "ok", "away", "damaged"
"""How it stands, in one word: there is none; all is well; this process can't read it; something in
it was not believed."""
