"""Automated players: clients of the public API, nothing else."""
