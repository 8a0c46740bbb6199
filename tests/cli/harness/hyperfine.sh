# hyperfine in pairs: one command with a planted slowdown of more than eleven times regresses alone, after few pairs.

need hyperfine
printf '#!/bin/sh\nsleep 0.01\n' >quick
printf '#!/bin/sh\nsleep 0.02\n' >slow
chmod +x quick slow
mk_micro hyperfine '[hyperfine, -N, ./quick, ./slow]' <<<'gates: { "*": 30% }'
printf '#!/bin/sh\nsleep 2\n' >slow
expect 1 run micro --base ../base --no-explain --runs 3
has "$out" 'REGRESSION micro ./slow +'
[[ $(verdicts) == $'./quick inconclusive\n./slow regression' ]] || { verdicts >&2; fail 'other verdicts'; }
