"""An open live-dealer blackjack studio."""
