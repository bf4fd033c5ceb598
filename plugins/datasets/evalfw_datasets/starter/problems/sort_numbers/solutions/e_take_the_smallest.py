def sort_numbers(nums):
    rest = list(nums)
    result = []
    while rest:
        smallest = min(rest)
        rest.remove(smallest)
        result.append(smallest)
    return result
