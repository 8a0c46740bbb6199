# go's benchmarks in pairs: one with a planted slowdown regresses, the others pass. They print in between.

need go
cat >go.mod <<<'module example.org/m'
cat >m_test.go <<'GO'
package m

import (
	"fmt"
	"testing"
)

var sink int

func work(n int) int {
	h := 1
	for i := 0; i < n; i++ {
		h = h*31 + i
	}
	return h
}
func BenchmarkParse(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = work(2000)
	}
}
func BenchmarkList(b *testing.B) {
	b.Run("small", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink = work(SMALL)
		}
	})
}
func BenchmarkLoud(b *testing.B) {
	fmt.Println("a print of its own, 12 ns/op")
	for i := 0; i < b.N; i++ {
		sink = work(500)
	}
}
GO
build() { sed -i.orig "s/SMALL/$1/" m_test.go && GOFLAGS=-mod=mod go test -c -o bench.test . && mv m_test.go.orig m_test.go; }
export GOCACHE=$CASE_DIR/gocache
build 300
mk_micro go '[./bench.test]' <<<'gates: { "*": 30% }'
build 6000
expect 1 run micro --base ../base --no-explain --budget 120s
has "$out" 'REGRESSION micro BenchmarkList/small +'
[[ $(verdicts | grep -c regression) -eq 1 ]] || { verdicts >&2; fail 'not one regression'; }
[[ $(verdicts | wc -l) -eq 3 ]] || { verdicts >&2; fail 'not three benchmarks'; }
