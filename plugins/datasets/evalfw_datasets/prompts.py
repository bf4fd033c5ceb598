"""Prompts that several datasets share."""

from __future__ import annotations


def no_conditioning(statement: str) -> str:
    """The prompt of BigOBench (Chambon et al. 2025) for a solution of any complexity, word for word."""
    return (
        f"Provide a Python solution for the following competitive programming question: {statement}.\n"
        "Output the code only.\n"
        "Your code should be enclosed in triple backticks like so: ```python YOUR CODE HERE ```. "
        "Use the backticks for your code only."
    )
