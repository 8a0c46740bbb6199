# A course that rises twelvefold is not called "no change", though too few commits show it to call it a change.
. "$LIB"
export LC_ALL=C

mk_commits 16
mk_archive few 48 49 48 110 111 280 281 400 622 623
expect 0 history --from few
cat "$out"
# Chance puts five of sixteen values last too often for a change to be proven.
mk_archive late 48 49 50 48 49 50 48 49 50 48 49 623 624 625 626 627
expect 0 history --from late
cat "$out"
