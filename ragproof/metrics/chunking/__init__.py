"""How documents are cut: what holds together, what is torn, what comes twice."""
