def even_numbers(nums):
    result = []
    for x in nums:
        if not x & 1:
            result = result + [x]
    return result
