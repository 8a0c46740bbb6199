# Without a baseline --strict gives status 4, in the result as well.
. "$LIB"

mk_quick a
expect 4 run --strict
# On a busy machine the advice is to measure again, without --from.
head -n 1 "$out" | sed "s/ --from .*//"
holds '.status == 4 and .strict'
