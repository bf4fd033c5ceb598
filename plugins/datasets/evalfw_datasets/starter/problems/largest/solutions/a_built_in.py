def largest(nums):
    return max(nums)
