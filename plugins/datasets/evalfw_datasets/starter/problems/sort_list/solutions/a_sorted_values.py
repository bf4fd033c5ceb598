class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        values = []
        node = head
        while node:
            values.append(node.val)
            node = node.next
        values.sort()
        node = head
        for value in values:
            node.val = value
            node = node.next
        return head
