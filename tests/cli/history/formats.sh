# The page is well-formed, without scripts or external resources. Commit subjects and names are escaped.
export LC_ALL=C
need python3

mk_commits 20
GIT_AUTHOR_DATE=2026-10-21T12:00:00Z GIT_COMMITTER_DATE=2026-10-21T12:00:00Z \
  git commit -q --allow-empty -m '<script>alert(1)</script> & @somebody'
commits+=("$(git rev-parse HEAD)")
# shellcheck disable=SC2046
mk_archive archive $(wobbly 10 20) 12.5
for i in 1 2 3 4; do echo "archive/late-$i.json feedfeed000$i 2026-11-0${i}T00:00:00Z 12.5 100"; done | mk_results
expect 0 history --from archive --format html -o page.html
has page.html "<code>${commits[20]:0:12}</code>, 2026-10-21" 'no change' '>13 ms</text>' '<title>12.5 ms, feedfeed0001'
lacks page.html '<script' 'http:' 'https:' 'url('
has page.html "default-src 'none'" 'viewport' 'prefers-color-scheme:dark' 'not in the history of HEAD'
python3 - page.html <<'PY'
import html.parser, sys
class P(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack = []
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "!doctype"):
            self.stack.append(tag)
    def handle_startendtag(self, tag, attrs):
        pass
    def handle_endtag(self, tag):
        assert self.stack and self.stack.pop() == tag, (tag, self.getpos())
p = P()
p.feed(open(sys.argv[1]).read())
assert not p.stack, p.stack
PY
has page.html '&lt;script&gt;alert(1)&lt;/script&gt; &amp; @somebody'

# On GitHub runners commits are links. Exceptions: commits that git does not know, or with local changes.
# Other text never becomes a URL.
GITHUB_SERVER_URL=https://git.example.org GITHUB_REPOSITORY=o/r expect 0 history --from archive --format html -o linked.html
has linked.html "<a href=\"https://git.example.org/o/r/commit/${commits[20]:0:12}"
GITHUB_SERVER_URL=javascript:alert GITHUB_REPOSITORY=o/r expect 0 history --from archive --format html -o page.html
lacks page.html 'href="http' 'href="java'
GITHUB_SERVER_URL=https://git.example.org GITHUB_REPOSITORY='o/"r' expect 0 history --from archive --format html -o page.html
lacks page.html 'href="http' 'href="java'
