"""Words of the ring: money and odds."""
