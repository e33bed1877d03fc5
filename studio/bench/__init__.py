"""The benchmark command: prints figures of this machine as ratios and percentiles, and judges nothing."""
