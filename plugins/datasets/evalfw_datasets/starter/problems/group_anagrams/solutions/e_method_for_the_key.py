class Solution:
    """Groups words by their sorted letters."""

    @staticmethod
    def key_of(word):
        return "".join(sorted(word))

    def group_anagrams(self, words: list[str]) -> list[list[str]]:
        by_key = {}
        for word in words:
            key = self.key_of(word)
            group = by_key.get(key)
            if group is None:
                group = []
                by_key[key] = group
            group.append(word)
        return list(by_key.values())
