"""Readers that speak SSI, the packet mode of Zebra and Symbol."""
