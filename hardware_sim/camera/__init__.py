"""The simulated camera over a simulated table: cards, hands, light and faults, drawn by code of its own."""
