"""The HTTP face: what clients, bots and organisers call."""
