class Solution:
    def group_anagrams(self, words: list[str]) -> list[list[str]]:
        anagrams = dict()
        for i in range(len(words)):
            letters = "".join(sorted(words[i]))
            anagrams.setdefault(letters, []).append(words[i])
        return list(anagrams.values())
