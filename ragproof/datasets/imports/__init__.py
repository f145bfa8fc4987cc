"""Test sets of other tools and benchmarks, read into cases: one file a format."""
