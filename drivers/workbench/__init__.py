"""A studio engineer's tools for readers: what is plugged in, what is wrong with it, what it says, byte by byte."""
