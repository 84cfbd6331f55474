"""A receiver with the official library for Python. ../../support/library_receivers.ts says what it does."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks.webhooks import Webhook

state = {"secrets": [], "failing": False}


def is_verified(secret, body, headers):
    try:
        Webhook(secret).verify(body, headers)
        return True
    # It raises other errors than its own for headers that it cannot split.
    except Exception:
        return False


class Receiver(BaseHTTPRequestHandler):
    def body(self):
        return self.rfile.read(int(self.headers["content-length"]))

    def answer(self, status, content):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def do_PUT(self):
        state.update(json.loads(self.body()))
        self.answer(200, {})

    def do_POST(self):
        body = self.body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        verified = [is_verified(secret, body, headers) for secret in state["secrets"]]
        print(json.dumps({"headers": headers, "body": body.decode(), "verified": verified}), flush=True)
        if verified and True not in verified:
            self.answer(401, {})
        elif state["failing"]:
            self.answer(503, {})
        else:
            self.answer(200, {"challenge": json.loads(body).get("challenge")})

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
