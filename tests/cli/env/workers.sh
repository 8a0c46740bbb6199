# All processes of the target are counted. With four workers no process does all the work.

server_scenario web '--workers 4' 200 count <<<'measure: { runs: 2 }'
expect 0 run
holds '[.scenarios[0].runs[] | ."task-clock" > 180] | all'
gone "$PWD/server.py"
