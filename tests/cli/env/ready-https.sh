# curl probes a TLS server with a self-signed certificate. Path, header and status are checked.

need python3 openssl curl
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost 2>/dev/null || skip 'no certificate'
cat >tls.py <<'PY'
import http.server, ssl, sys, threading

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.headers.get('Authorization') == 'Bearer 12'
        self.send_response(200 if known and self.path == '/health' else 403)
        self.end_headers()
        self.wfile.write(b'state: ok\n')

server = http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain('cert.pem', 'key.pem')
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
while True:
    pass
PY
scenario() {
  mk_scenario tls <<YAML
vars: { token: 12 }
env:
  - name: tls
    command: [python3, tls.py, "\${port}"]
    ready: { http: "https://127.0.0.1:\${port}/health", headers: { Authorization: "Bearer $1" }, status: 200, body: 'state: *ok'$2 }
target: { service: tls }
warmup: { runs: 0 }
measure: { window: 200ms, runs: 1 }
YAML
}
scenario '${token}' ''
expect 0 run
scenario 13 ', timeout: 3s'
expect 3 run
has "$out" 'service tls: http https://127.0.0.1:' 'was not ready within 3 s'
