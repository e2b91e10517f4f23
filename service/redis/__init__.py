"""Adapters over Redis, and the only place that knows how Redis is spoken to."""
