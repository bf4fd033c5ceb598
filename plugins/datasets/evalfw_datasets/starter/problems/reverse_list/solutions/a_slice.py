def reverse_list(nums):
    return nums[::-1]
