#!/bin/sh
# A PostgreSQL of its own for a scenario, in DIR/data; its socket is in there too.
#
#   postgres.sh init DIR            make an empty one
#   postgres.sh serve DIR PORT      become the server
#
# PostgreSQL refuses to run as root: then both are done as the user postgres.
set -eu
umask 022

# Debian keeps the server's programs away from PATH, by version.
for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
  PATH=$PATH:$folder
done
for program in initdb postgres; do
  command -v $program >/dev/null || { echo "$program is not installed: tools/setup.sh servers" >&2; exit 1; }
done

as=
if [ "$(id -u)" -eq 0 ]; then
  as='setpriv --reuid=postgres --regid=postgres --init-groups'
fi
# The user postgres may not be allowed to look at the working folder.
cd "$2"

case $1 in
  init)
    mkdir data
    if [ "$as" ]; then
      chmod go+x .
      chown postgres: data
    fi
    $as initdb --pgdata="$2/data" --username=bench --auth=trust --encoding=UTF8 --locale=C --no-sync >/dev/null
    ;;
  serve)
    exec $as postgres -D "$2/data" -p "$3" -c listen_addresses= -c unix_socket_directories="$2/data" \
      -c dynamic_shared_memory_type=mmap -c shared_buffers=32MB -c max_connections=20 \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off -c jit=off
    ;;
esac
