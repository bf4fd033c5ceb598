def count_vowels(text):
    length = len(text)
    for vowel in "aeiou":
        text = text.replace(vowel, "")
    return length - len(text)
