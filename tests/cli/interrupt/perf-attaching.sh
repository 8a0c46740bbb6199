# Interrupted while perf attaches and never answers.

mk_perf <<'SH'
marker=attach-for-ever
case " $* " in
  *" --control "*) [[ ! -e hang ]] || exec -a "$marker" sleep 300 ;;
esac
exec "$TRUE_PERF" "$@"
SH
mk_scenario a 'target: { command: "true" }' 'prepare: touch hang' 'measure: { runs: 2 }'
for signal in INT TERM; do
  rm -f hang
  interrupted "$signal" attach-for-ever run
  holds '.partial == true and .scenarios[0].state == "partial"'
done
