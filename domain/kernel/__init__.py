"""The shape of event sourcing; it contains no horse."""
