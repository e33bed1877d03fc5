"""The rules and the table as pure functions: no input or output, no clock, no randomness."""
