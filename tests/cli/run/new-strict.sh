# Without a baseline --strict gives status 4, in the result as well.

mk_quick a
expect 4 run --strict
head -n 1 "$out" | sed 's/[0-9][0-9]*/N/; s/--from .*/--from RUN/'
holds '.status == 4 and .strict'
