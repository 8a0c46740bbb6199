# --version is accepted wherever an option may appear.

figures() { sed -E 's/[0-9a-f]{40}|unknown/COMMIT/; /^libraries/s/[0-9]+(\.[0-9]+)+/N/g'; }
"$PAWL" --version | figures
"$PAWL" -V | head -n 1
"$PAWL" run --version | head -n 1
"$PAWL" -q run --version | head -n 1
"$PAWL" --color never compare -V | head -n 1
nothing_measured
