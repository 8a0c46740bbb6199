"""textstat FILE OUT."""

import sys

from . import Index, paragraphs, render


def main(argv):
    if len(argv) != 3:
        print("usage: textstat FILE OUT", file=sys.stderr)
        return 2
    index = Index()
    for number, paragraph in enumerate(paragraphs(argv[1])):
        index.add(number, paragraph)
    with open(argv[2], "w", encoding="utf-8") as out:
        for line in render(index):
            out.write(line)
    return 0


sys.exit(main(sys.argv))
