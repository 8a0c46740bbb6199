# A mistyped option is misuse before anything is measured. The most similar one is suggested.

mk_quick a
expect 2 run --strcit
cat "$err"
expect 2 run -x
cat "$err"
expect 2 compare --reason x a b
cat "$err"
expect 2 run --color never --help --bogus
cat "$err"
nothing_measured
