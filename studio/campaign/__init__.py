"""A campaign: thousands of seeded rounds through the core with faults injected, held against what truly lay there."""
