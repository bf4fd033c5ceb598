from heapq import heappop, heappush


class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        heap = []
        order = 0
        while head:
            heappush(heap, (head.val, order, head))
            order += 1
            head = head.next
        if not heap:
            return None
        first = heappop(heap)[2]
        last = first
        while heap:
            last.next = heappop(heap)[2]
            last = last.next
        last.next = None
        return first
