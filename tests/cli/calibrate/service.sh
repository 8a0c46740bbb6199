# If the load of a service reports its work, calibration is per request, not per window.

server_scenario web '' 40 count <<<'gates: { page-faults: default }'
expect 0 calibrate web --runs 4
has "$out" 'task-clock per unit of work, '
holds '.scenarios[0].metrics | map(select(.metric == "task-clock"))[0] | .per_work and .median < 20' \
  pawl-out/latest/calibration.json
