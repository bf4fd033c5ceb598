def is_palindrome(text):
    letters = []
    for letter in text:
        letters.append(letter)
    return letters == letters[::-1]
