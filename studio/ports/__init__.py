"""What the domain's shell needs from the outside: card sources, journal, clock, wallet."""
