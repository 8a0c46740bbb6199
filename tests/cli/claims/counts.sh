# Claims on counts are decided by one simulated run; a scenario can make them, too.

need valgrind
mk_program 20
mk_scenario work 'target: { command: ./work }' 'measure: { counters: sim }' 'gates: { instructions: { improve: 15% } }'
mk_repo
git tag base
mk_program 16

expect 0 run --base base
first_line_has "$out" 'PROVEN work instructions (simulated) is lower by at least'
expect 1 run --base base --expect 'instructions -25%'
first_line_has "$out" 'REFUTED work instructions (simulated) is lower by at most'

# Against stored values: nothing to compare with, then the program itself, which is not better.
expect 3 run
first_line_has "$out" 'NOTHING WAS COMPARED'
expect 0 baseline update
expect 1 run
first_line_has "$out" 'REFUTED work instructions (simulated) is not lower'
