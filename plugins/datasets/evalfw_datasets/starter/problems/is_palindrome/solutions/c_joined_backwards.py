def is_palindrome(text):
    backwards = "".join(reversed(text))
    return backwards == text
