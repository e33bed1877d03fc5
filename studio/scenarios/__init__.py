"""Scenarios: what really happened at blackjack tables, as scripts that the engine plays and checks (cases.md)."""
