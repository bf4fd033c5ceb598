class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        return self.sort_and_count(nums)[1]

    def sort_and_count(self, items):
        if len(items) < 2:
            return items, 0
        middle = len(items) // 2
        left, a = self.sort_and_count(items[:middle])
        right, b = self.sort_and_count(items[middle:])
        merged = []
        count = a + b
        i = j = 0
        while i < len(left) and j < len(right):
            if left[i] <= right[j]:
                merged.append(left[i])
                i += 1
            else:
                merged.append(right[j])
                j += 1
                count += len(left) - i
        return merged + left[i:] + right[j:], count
