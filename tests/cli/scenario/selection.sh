# Scenarios are selected by name, path or tag, from below the project's root as well.
. "$LIB"

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
"$PAWL" list
echo -- by path
"$PAWL" list elsewhere/b.yaml
echo -- by tag
"$PAWL" list a elsewhere/b.yaml --tag web
echo -- from below
cd deep
"$PAWL" list ../scenarios/a.yaml
"$PAWL" list
