# A unit of many functions, the same each time.
BEGIN {
	x = 59
	print "#define MIX(a, b) (((a) << 3) ^ ((b) + 17))\n#define STEP(v, n) do { v = MIX(v, n); count += v & 1; } while (0)\nextern int count;\nint count;\nstruct point { int x, y; struct point *next; };"
	for (i = 1; i <= 6000; i++) {
		x = x * 16807 % 2147483647
		printf "/* number %d adds up what it is given */\nint function_%d(struct point *point, int value_%d)\n{\n\tint sum = %d;\n\tfor (int index = 0; index < value_%d; index++) {\n\t\tSTEP(sum, index);\n\t\tif (point[index].x > %d && point->next)\n\t\t\tsum += MIX(point[index].y, sum);\n\t}\n\treturn sum%s;\n}\n", i, i, x % 90, x % 1000, x % 90, x % 77, (i > 1 ? " + function_" (x % (i - 1) + 1) "(point, sum)" : "")
	}
}
