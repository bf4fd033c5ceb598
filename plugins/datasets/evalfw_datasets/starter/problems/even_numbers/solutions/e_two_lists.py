def even_numbers(nums):
    even = []
    odd = []
    for x in nums:
        (odd if x % 2 else even).append(x)
    return even
