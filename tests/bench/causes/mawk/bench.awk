# Groups, joins and formats the fields of a table.
{
	n[$2]++
	sum[$2] += $4
	if ($3 ~ /^[a-f]+[0-9]*x?$/)
		hits++
	names[$1 "/" $2] = $3
	gsub(/[aeiou]/, "*", $5)
	printf "%s %s %d\n", $5, toupper($3), length($0)
}
END {
	for (k in names)
		if (index(names[k], "b"))
			found++
	for (k in n)
		total += sum[k] / n[k]
	printf "%d %d %.3f\n", hits, found, total
}
