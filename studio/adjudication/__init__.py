"""What should have happened: a round script through the real core, and the answer with its clauses."""
