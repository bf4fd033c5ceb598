"""The border: files that people write become typed objects, or errors with line and column."""
