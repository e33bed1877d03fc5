"""A second, naive reading of the four games, from the rules alone: the engine is compared with it."""
