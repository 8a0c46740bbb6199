# In a repository of GitLab, init writes its job: into .gitlab-ci.yml, or beside one that is there.

sources() { printf 'all: prog\nprog: prog.c\n\tcc -o prog prog.c\n' >Makefile; echo 'int main(void) { return 0; }' >prog.c; }
git init -q . && git remote add origin git@gitlab.example.com:group/project.git
sources
expect 0 init
cat "$out" .gitlab-ci.yml
echo -- again
expect 0 init
has "$out" 'left   .gitlab-ci.yml' 'left   .gitlab/CODEOWNERS'
[[ ! -e .github && ! -e .gitlab/pawl.yml ]] || fail 'a second job was written'
echo -- beside a file that is there, for a folder of the repository
mkdir -p other/below && cd other && git init -q . && printf 'test: { script: ls }\n' >.gitlab-ci.yml && cd below
sources
echo 'print()' >pyproject.toml
expect 0 init ./prog
cat "$out"
grep -e cd -e 'pawl run' ../.gitlab/pawl.yml
[[ $(<../.gitlab-ci.yml) == 'test: { script: ls }' ]] || fail 'the file of the project was changed'
echo -- elsewhere the remote decides
rm -r ../.gitlab && git remote add origin https://github.com/o/r
expect 0 init ./prog
has "$out" 'wrote  .github/workflows/pawl.yml'
