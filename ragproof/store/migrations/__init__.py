"""One file a change of the tables; alembic runs them in the order of their revisions."""
