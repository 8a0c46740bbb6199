# PostgreSQL under pgbench, with a process for every connection; a missing index makes it slower.
# shellcheck shell=bash disable=SC2154
. "$SERVERS/lib.sh"
need pgbench
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || need postgres
project postgres
measured_for_real latency
gates_it
catches 'a primary key that is missing' 's/-I dtgvp/-I dtgv/'
