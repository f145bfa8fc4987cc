"""echo."""
