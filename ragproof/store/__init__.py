"""Runs at rest, in SQLite or PostgreSQL; opened by `store.open`."""
