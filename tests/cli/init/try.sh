# init tries a typed command and names one that works for nothing.

# tries COMMAND...: prints what init says about it.
tries() {
  rm -rf scenarios
  expect 0 init "$@"
  echo "== $*"
  grep -E '^warning|^Nothing' "$out" | sed 's/([0-9.]* ms/(N ms/; s/Nothing was run.*/not tried/' || echo 'no warning'
}

seq 1000 >numbers
cat >prog <<'SH'
#!/bin/sh
case $1 in
  '') echo 'usage: prog FILE' >&2; exit 2 ;;
esac
sleep 0.02
case $1 in
  deaf) echo 42 ;;
  fails) echo 'no such table' >&2; exit 1 ;;
  *) cat "$1" ;;
esac
SH
chmod +x prog
tries ./prog
tries true
tries ./prog deaf numbers
tries './prog deaf < numbers'
tries ./prog fails numbers
tries ./prog numbers
tries './prog numbers | sort'
tries ./absent numbers
# The input stays as it is.
[[ $(wc -l <numbers) == 1000 ]] || fail 'the input was changed'
