class Solution:
    def group_anagrams(self, words: list[str]) -> list[list[str]]:
        table = {}
        for w in words:
            signature = "".join(sorted(w))
            if signature not in table:
                table[signature] = []
            table[signature].append(w)
        return list(table.values())
