"""Which words occur, how often and where."""

import re

WORD = re.compile(r"[a-z']+")
COMMON = frozenset("the a an and or of to in is it that was for on as with he be at by i this had not are but".split())


class Index:
    def __init__(self):
        self.counts = {}
        self.places = {}
        self.seen = set()
        self.repeated = 0
        self.length = 0

    def add(self, number, paragraph):
        """Takes in a paragraph."""
        words = self.split(paragraph)
        self.length += len(words)
        for word in words:
            if self.is_common(word):
                continue
            self.counts[word] = self.counts.get(word, 0) + 1
            self.places.setdefault(word, []).append(number)
        self.note_repeated(words)

    def split(self, paragraph):
        return WORD.findall(paragraph.lower())

    def is_common(self, word):
        return word in COMMON

    def note_repeated(self, words):
        """Pairs of words that occurred before."""
        for pair in zip(words, words[1:]):
            if pair in self.seen:
                self.repeated += 1
            else:
                self.seen.add(pair)

    def top(self, n):
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:n]

    def spread(self, word):
        places = self.places[word]
        return places[-1] - places[0]
