def reverse_list(nums):
    nums.reverse()
    return nums
