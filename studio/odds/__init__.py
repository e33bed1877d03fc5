"""The odds of the games, computed exactly from the rules in force: strategy, return, side bets, insurance."""
