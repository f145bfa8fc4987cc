"""What parsing, cleaning and enrichment kept of a document, and what they lost."""
