"""The journal as proof: verify, copy, export, keep, back up.

It reads what the adapters wrote, and needs no running studio.
"""
