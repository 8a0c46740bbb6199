# Two named profiles in one picture, coloured only where the samples suffice.
need python3

printf 'main;a 5000\nmain;b 4000\nmain;gone 1000\n' >base.folded
printf 'main;a 6000\nmain;b 4010\nmain;new 990\n' >head.folded
expect 0 flamegraph --diff base.folded head.folded
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out"
has "$out" 'head.folded against base.folded' 'Head: head.folded' 'Base: base.folded' 'data-view="vanished"'
python3 - "$out" <<'PY'
import sys, xml.etree.ElementTree as tree
n = '{http://www.w3.org/2000/svg}'
seen = {}
for view in tree.parse(sys.argv[1]).iter(n + 'g'):
    if view.get('class') == 'view':
        for f in view.iter(n + 'svg'):
            if f.get('class', '').startswith('f '):
                seen[view.get('data-view'), f.find(n + 'title').text.split('\n')[0]] = f.get('class')[2]
want = {('head', 'a'): 'r', ('head', 'b'): 'b', ('head', 'new'): 'r', ('head', 'main'): 'g', ('base', 'gone'): 'b', ('vanished', 'gone'): 'b',
        ('vanished', 'main'): 'g', ('vanished', 'all'): 'g', ('head', 'all'): 'g', ('base', 'a'): 'r', ('base', 'b'): 'b',
        ('base', 'main'): 'g', ('base', 'all'): 'g'}
assert seen == want, seen
PY
# A hundred samples cannot decide such a change, so no frame is coloured.
printf 'main;a 52\nmain;b 48\n' >few
printf 'main;a 57\nmain;b 43\n' >few2
expect 0 flamegraph --diff few --base-label a1b2c3 --head-label 'd4 <e>' few2
has "$out" 'd4 &lt;e&gt; against a1b2c3' 'Head: d4 &lt;e&gt;' 'within noise' 'few samples'
lacks "$out" 'class="f r' 'class="f b'
mkdir one two
cp few one/stacks.folded
cp few2 two/stacks.folded
expect 0 flamegraph --diff one/stacks.folded two/stacks.folded
has "$out" 'two/stacks.folded against one/stacks.folded'
expect 0 flamegraph --format json --diff base.folded head.folded
has "$out" '{"name":"gone","value":0,"delta":-10}'

# The share did not change. The absolute cost doubled.
printf 'main;work 1000\n' >once
printf 'main;work 2000\n' >twice
expect 0 flamegraph --format json --diff once twice
has "$out" '"delta":0'
expect 0 flamegraph --format json --diff once --absolute twice
has "$out" '"delta":1000'
expect 2 flamegraph --absolute twice
has "$err" 'nothing to compare with'

# Problems of a recording are warnings.
for i in {1..9}; do printf 'a 1/1 1.00000%d: 5 cycles: \n\tff main (/bin/a)\n\n' "$i"; done >few.txt
expect 0 flamegraph few.txt
has "$err" 'few.txt: warning: 9 samples'
expect 0 -q flamegraph few.txt
[[ ! -s $err ]] || fail "-q, and yet: $(cat "$err")"
