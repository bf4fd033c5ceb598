class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        n = len(nums)
        from_left = [0] * n
        from_right = [0] * n
        for i in range(n):
            if i % k == 0:
                from_left[i] = nums[i]
            else:
                from_left[i] = max(from_left[i - 1], nums[i])
        for i in range(n - 1, -1, -1):
            if i == n - 1 or (i + 1) % k == 0:
                from_right[i] = nums[i]
            else:
                from_right[i] = max(from_right[i + 1], nums[i])
        return [max(from_right[i], from_left[i + k - 1]) for i in range(n - k + 1)]
