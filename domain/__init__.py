"""The rules: a pure library that needs msgspec and the standard library's arithmetic alone."""
