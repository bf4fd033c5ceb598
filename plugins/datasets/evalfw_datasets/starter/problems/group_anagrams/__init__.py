"""Groups of anagrams."""
