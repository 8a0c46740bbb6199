"""From a file to its paragraphs."""

import os


def clean(line):
    return line.rstrip("\n").replace("\t", " ")


def paragraphs(path):
    """The paragraphs of a file: what lies between empty lines."""
    if not os.path.exists(path):
        raise FileNotFoundError(path)
    lines = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = clean(line)
            if line:
                lines.append(line)
            elif lines:
                yield " ".join(lines)
                lines = []
    if lines:
        yield " ".join(lines)
