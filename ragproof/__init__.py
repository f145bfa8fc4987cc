"""Prove that a RAG pipeline works, find where it fails, stop CI when it gets worse."""

__version__ = "0.1.0"
