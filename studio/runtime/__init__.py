"""One actor per table: readings in, events committed, views out."""
