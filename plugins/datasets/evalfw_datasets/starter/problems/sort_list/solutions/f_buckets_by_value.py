class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        buckets = {}
        node = head
        while node:
            if node.val not in buckets:
                buckets[node.val] = []
            buckets[node.val].append(node)
            node = node.next

        result = None
        tail = None
        for value in sorted(buckets):
            for node in buckets[value]:
                if tail is None:
                    result = node
                else:
                    tail.next = node
                tail = node
        if tail:
            tail.next = None
        return result
