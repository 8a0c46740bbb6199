# bench.sh OUT: counts, splits and joins words, as build scripts do.
exec >"$1"

join() {
	joined=
	for part; do
		joined=$joined${joined:+,}$part
	done
	echo "$joined"
}

kind_of() {
	case $1 in
	*.c|*.h) kind=source;;
	*.o) kind=object;;
	lib*.so.[0-9]*) kind=library;;
	*) kind=other;;
	esac
}

i=0
while [ "$i" -lt 9000 ]; do
	name=file$((i * 7 % 1000)).$((i % 3))
	kind_of "$name"
	eval "count_$kind=\$((\${count_$kind:-0} + 1))"
	base=${name%.*}
	eval "size_$((i % 97))=$i"
	echo "$i $base ${name##*.} $kind"
	i=$((i + 1))
done
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	words=$(join a b c d "$i" $i$i)
	echo "$words"
done
echo "$count_other"
