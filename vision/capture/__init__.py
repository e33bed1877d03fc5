"""Capture: frames from a camera, a stream or a file, in a process of its own, and what that process says."""
