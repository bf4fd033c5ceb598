def even_numbers(nums):
    result = []
    for x in nums:
        if x % 2 == 0:
            result.append(x)
    return result
