from collections import defaultdict


class Solution:
    def group_anagrams(self, words: list[str]) -> list[list[str]]:
        groups = defaultdict(list)
        for word in words:
            key = "".join(sorted(word))
            groups[key].append(word)
        return list(groups.values())
