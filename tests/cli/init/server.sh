# For a server init writes a scenario with a service, a load and a port.
need curl python3

# server NAME MANIFEST TEXT FILE SOURCE: prints the service that init writes.
server() {
  mkdir -p "$1/$(dirname "$4")"
  printf '%s\n' "$3" >"$1/$2"
  printf '%s\n' "$5" >"$1/$4"
  (cd "$1" && "$PAWL" init >"$out" 2>"$err" && "$PAWL" check >>"$out" 2>"$err") || { show_kept; fail "pawl init in $1"; }
  echo "== $1"
  grep -hE '^requires|command:|environment:|ready:|target:' "$1"/scenarios/*.yaml
}

server c Makefile 'prog: p.c' p.c 'int main(void) { bind(s, htons(7000)); listen(s, 5); }'
server node package.json '{ "main": "app.js" }' app.js 'const port = process.env.PORT || 3000; require("express")().get("/users", x).listen(port);'
server go go.mod 'module example.org/hello' main.go 'package main; var a = flag.String("addr", ":8080", ""); func main() { http.HandleFunc("/hello", f); http.ListenAndServe(*a, nil) }'
server rust Cargo.toml $'[package]\nname = "api"' src/main.rs 'use axum::Router; fn main() { let port = std::env::var("PORT"); }'
server python pyproject.toml '[project]' serve.py 'import argparse
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    HTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()'
cat python/scenarios/python.yaml
# A file that is not the program, such as a test, does not make a server of it.
mkdir -p client/tests
echo 'prog: main.c' >client/Makefile
echo 'int main(void) { connect(1); }' >client/main.c
echo 'int main(void) { listen(1); }' >client/tests/server.c
(cd client && "$PAWL" init >"$out" && lacks scenarios/prog.yaml service)

# It runs as it is.
cd python || fail 'no folder'
expect 0 run --no-profile --runs 3
holds '.scenarios[0] | .runs | length == 3'
has "$out" 'CPU time per request'
