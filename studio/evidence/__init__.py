"""Evidence: past rounds replayed, and the records of incidents, made from what the journal holds.

Nothing here is stored: a record is derived from the table's events each time, so the two cannot differ.
"""
