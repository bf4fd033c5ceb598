def sort_numbers(nums):
    if len(nums) < 2:
        return nums
    pivot = nums[0]
    smaller = [x for x in nums[1:] if x < pivot]
    others = [x for x in nums[1:] if x >= pivot]
    return sort_numbers(smaller) + [pivot] + sort_numbers(others)
