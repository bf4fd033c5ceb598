def count_vowels(text):
    return sum(1 for letter in text if letter in "aeiou")
