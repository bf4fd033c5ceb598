import heapq


class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        heap = [(-value, index) for index, value in enumerate(nums[:k])]
        heapq.heapify(heap)
        result = [-heap[0][0]]
        for index in range(k, len(nums)):
            heapq.heappush(heap, (-nums[index], index))
            while heap[0][1] <= index - k:
                heapq.heappop(heap)
            result.append(-heap[0][0])
        return result
