# The same with --strict is status 4, in the result as well.
. "$LIB"

mk_quick a
expect 4 run --strict
head -n 1 "$out"
holds '.status == 4 and .strict'
