class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        values = []
        current = head
        while current is not None:
            values.append(current.val)
            current = current.next

        ordered = self.quick_sort(values)

        current = head
        for value in ordered:
            current.val = value
            current = current.next
        return head

    def quick_sort(self, items):
        if len(items) <= 1:
            return items
        pivot = items[len(items) // 2]
        smaller = [x for x in items if x < pivot]
        equal = [x for x in items if x == pivot]
        larger = [x for x in items if x > pivot]
        return self.quick_sort(smaller) + equal + self.quick_sort(larger)
