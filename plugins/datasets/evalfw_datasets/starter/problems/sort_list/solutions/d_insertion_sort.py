class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        sorted_head = None
        node = head
        while node is not None:
            following = node.next
            if sorted_head is None or node.val < sorted_head.val:
                node.next = sorted_head
                sorted_head = node
            else:
                place = sorted_head
                while place.next is not None and place.next.val <= node.val:
                    place = place.next
                node.next = place.next
                place.next = node
            node = following
        return sorted_head
