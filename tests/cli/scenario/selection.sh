# Scenarios are selected by name, path or tag, from below the project's root as well.

mk_quick a
mk_scenario b <<YAML
name: bee
description: the second
tags: [slow, web]
target: { command: "true" }
YAML
mkdir elsewhere deep
mv scenarios/b.yaml elsewhere/
echo 'scenarios: scenarios' >pawl.yaml
"$PAWL" check
echo -- by path
"$PAWL" check elsewhere/b.yaml
echo -- by tag
"$PAWL" check a elsewhere/b.yaml --tag web
echo -- from below
cd deep
"$PAWL" check ../scenarios/a.yaml
"$PAWL" check
