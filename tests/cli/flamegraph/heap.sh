# Heap profiles: massif files are read, jemalloc files must be symbolised first, heaptrack's folded stacks need nothing.

need xz
fixtures=${LIB%/cli/lib.sh}/fixtures/heap
xz -dc "$fixtures/allocations.folded.xz" >allocations.folded
for file in "$fixtures/massif.out" allocations.folded; do
  expect 0 flamegraph -o picture.svg "$file"
  grep -c '</svg>' picture.svg
done
"$PAWL" flamegraph --format top "$fixtures/massif.out"
cp "$fixtures/jemalloc.heap" .
"$PAWL" flamegraph -o picture.svg jemalloc.heap
