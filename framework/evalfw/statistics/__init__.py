"""Statistics on plain sequences of numbers: tests, effect sizes, corrections, intervals.

Every function gives a small frozen record. What is undefined is None there, with the reason; never NaN.
"""
