def is_palindrome(text):
    middle = len(text) // 2
    return text[:middle] == text[len(text) - middle:][::-1]
