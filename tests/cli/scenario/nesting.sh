# A hundred thousand nested brackets are refused quickly.

mkdir scenarios
{ printf 'version: 1\ntarget: '; head -c 100000 /dev/zero | tr '\0' '['; } >scenarios/deep.yaml
expect 2 check
has "$err" 'scenarios/deep.yaml:2:'
