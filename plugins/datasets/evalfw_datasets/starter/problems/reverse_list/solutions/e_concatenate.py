def reverse_list(nums):
    result = []
    for x in nums:
        result = [x] + result
    return result
