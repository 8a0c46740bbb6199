"""What is said about a text."""


def bar(share):
    return "#" * round(share * 40)


def render(index):
    """Yields the lines of the report."""
    top = index.top(2000)
    most = top[0][1] if top else 1
    yield f"{index.length} words, {len(index.counts)} different, {index.repeated} pairs again\n"
    for word, count in top:
        yield f"{word:20} {count:6} {index.spread(word):6} {bar(count / most)}\n"
