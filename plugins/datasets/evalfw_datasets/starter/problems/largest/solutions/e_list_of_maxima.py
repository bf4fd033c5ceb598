def largest(nums):
    maxima = [nums[0]]
    for x in nums[1:]:
        maxima.append(max(maxima[-1], x))
    return maxima[-1]
