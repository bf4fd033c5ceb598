def sort_numbers(nums):
    return sorted(nums)
