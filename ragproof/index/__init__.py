"""Vector indexes: what approximate search loses, what it gains, and how late it learns."""
