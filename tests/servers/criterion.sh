# criterion of any version: 0.3, which Debian has, takes whole seconds. Names with spaces, values below a nanosecond.
# shellcheck shell=bash disable=SC2154
. "$SERVERS/lib.sh"

need jq
need cargo
crates=/usr/share/cargo/registry
version=$(compgen -G "$crates/criterion-[0-9]*" | sed 's/.*criterion-//; q') || true
[[ -n $version ]] || skip 'librust-criterion-dev is not installed'
# Debian's own cargo is as old as its crates.
PATH=/usr/bin:$PATH
mkdir -p .cargo benches src
printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' "$crates" >.cargo/config.toml
cat >Cargo.toml <<TOML
[package]
name = "words"
version = "0.1.0"
edition = "2018"

[dev-dependencies]
criterion = { version = "${version%.*}", default-features = false }

[[bench]]
name = "words"
harness = false

[profile.bench]
opt-level = 0
TOML
echo 'pub fn nothing() {}' >src/lib.rs
cat >benches/words.rs <<'RUST'
use criterion::{black_box, criterion_group, criterion_main, Criterion, Throughput};
fn work(n: u64) -> u64 {
    (0..n).fold(1, |h, i| h ^ black_box(i))
}
fn all(c: &mut Criterion) {
    c.bench_function("Set<char*> [param-1]", |b| b.iter(|| work(10)));
    let mut group = c.benchmark_group("a name of more than 23 bytes");
    group.throughput(Throughput::Bytes(64));
    group.bench_function("in a group", |b| {
        println!("a print of its own");
        b.iter(|| work(100))
    });
}
criterion_group!(benches, all);
criterion_main!(benches);
RUST
cargo bench --offline --no-run >"$CASE_DIR/kept/cargo" 2>&1 || { tail -n 20 "$CASE_DIR/kept/cargo" >&2; skip 'criterion cannot be built here'; }
mk_scenario micro <<'YAML'
target: { command: [cargo, bench, --offline, --bench, words, --], harness: criterion }
measure: { runs: 2, window: 20ms }
YAML
expect 0 run micro
diff - <(verdicts) <<'TXT' || fail 'other verdicts'
Set<char*> [param-1] new
a name of more than 23 bytes/in a group new
TXT
# Nanoseconds with their fractions.
holds '.scenarios[0].gates | all(.current > 1e-6 and .current * 1e6 != (.current * 1e6 | floor))'
case $version in
  0.3.*) has "$out" 'older than 0.4' ;;
  *) lacks "$out" 'older than 0.4' ;;
esac
mk_scenario micro <<'YAML'
target: { command: [cargo, bench, --offline, --bench, words, --], harness: criterion, filter: nothing }
measure: { runs: 1 }
YAML
expect 3 run micro
has "$out" "target.filter 'nothing' matches none"
ok 'criterion: names, values, verdicts and an empty filter'
