"""The nouns of the field as frozen dataclasses; they know nothing but themselves."""
