"""reranking."""
