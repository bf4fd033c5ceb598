"""Runs untrusted programs: each in a process of its own, under limits, watched from outside.

parent (this package)  holds the expected outputs, bounds output, decides
  zygote (inside/)     a thin process that holds nothing, forks one child per execution, watches and kills it
    contestant         the solution, and the instrument if there is one
"""
