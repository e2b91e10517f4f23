"""One folder a game; domain.registry finds them."""
