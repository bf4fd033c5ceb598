def even_numbers(nums):
    return [x for x in nums if x % 2 == 0]
