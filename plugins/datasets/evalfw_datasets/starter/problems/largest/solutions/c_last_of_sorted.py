def largest(nums):
    return sorted(nums)[-1]
