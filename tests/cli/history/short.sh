# A series that rises twelvefold is not called "no change", though it has too few commits to prove a change.
export LC_ALL=C

mk_commits 16
mk_archive few 48 49 48 110 111 280 281 400 622 623
expect 0 history --from few
cat "$out"
# Four high values at the end of sixteen are too likely by chance to prove a change. The page says the same.
mk_archive late 48 49 50 48 49 50 48 49 50 48 49 50 623 624 625 626
expect 0 history --from late
cat "$out"
expect 0 history --from late --format html -o page.html
has page.html 'no lasting change found, but values differ widely (48.0 ms to 626 ms)'
# Five prove it.
mk_archive five 48 49 50 48 49 50 48 49 50 48 49 623 624 625 626 627
expect 0 history --from five
has "$out" '49.0 ms -> 625 ms' worse
