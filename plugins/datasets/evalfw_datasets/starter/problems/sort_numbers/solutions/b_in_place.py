def sort_numbers(nums):
    nums.sort()
    return nums
