def largest(nums):
    if len(nums) == 1:
        return nums[0]
    middle = len(nums) // 2
    left = largest(nums[:middle])
    right = largest(nums[middle:])
    return left if left > right else right
