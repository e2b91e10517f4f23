"""Adapters in memory: the same promises as over Redis, for tests and simulations."""
