# Files of heap profilers: massif's are read, jemalloc's need their names first, heaptrack's folded stacks are as any.
. "$LIB"

fixtures=${LIB%/cli/lib.sh}/fixtures/heap
for file in massif.out allocations.folded; do
  expect 0 flamegraph -o picture.svg "$fixtures/$file"
  grep -c '</svg>' picture.svg
done
"$PAWL" flamegraph --format top "$fixtures/massif.out"
cp "$fixtures/jemalloc.heap" .
"$PAWL" flamegraph -o picture.svg jemalloc.heap
