class Solution:
    def group_anagrams(self, words: list[str]) -> list[list[str]]:
        buckets = {}
        for word in words:
            canonical = "".join(sorted(word))
            try:
                bucket = buckets[canonical]
            except KeyError:
                bucket = buckets[canonical] = []
            bucket.append(word)
        return list(buckets.values())
