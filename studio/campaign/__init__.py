"""A campaign: seeded rounds through the core with faults injected, held against what truly lay on the felt."""
