class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        if head is None or head.next is None:
            return head
        slow, fast = head, head.next
        while fast and fast.next:
            slow = slow.next
            fast = fast.next.next
        middle = slow.next
        slow.next = None
        return self.merge(self.sort_list(head), self.sort_list(middle))

    def merge(self, a, b):
        if b.val < a.val:
            a, b = b, a
        head = tail = a
        a = a.next
        while a and b:
            if a.val <= b.val:
                tail.next = a
                a = a.next
            else:
                tail.next = b
                b = b.next
            tail = tail.next
        tail.next = a if a else b
        return head
