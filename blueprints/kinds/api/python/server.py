"""Serves the API and its reference with the standard library of Python 3.9 or later."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from api import Api, HttpError
# #from10min
from guard import Guard
# /from10min
from store import Store

FOLDER = Path(__file__).parent
MAX_BODY = 100 * 1024
PAGES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/base.css": ("base.css", "text/css; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/theme.js": ("theme.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    # #from5min
    "/openapi.json": ("openapi.json", "application/json; charset=utf-8"),
    # /from5min
}


def refuse(name):
    """NaN and Infinity are not JSON, but Python reads them."""
    raise ValueError(name)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self, status, headers, body=b""):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        # A response with 204 has no content, and so no length of it.
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def read_json(self):
        """Returns the JSON body. Raises HttpError 400, 411, 413 or 415."""
        if self.headers.get_content_type() != "application/json":
            raise HttpError(415, "Send JSON, with the header content-type: application/json")
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            raise HttpError(411, "Send the header content-length")
        if int(length) > MAX_BODY:
            raise HttpError(413, "The body is larger than 100 KB")
        try:
            return json.loads(self.rfile.read(int(length)), parse_constant=refuse)
        except ValueError:
            raise HttpError(400, "The body is not JSON") from None

    def answer(self):
        url = urlsplit(self.path)
        try:
            if url.path in PAGES and self.command == "GET":
                name, kind = PAGES[url.path]
                headers = {"content-type": kind, "x-content-type-options": "nosniff"}
                return self.respond(200, headers, (FOLDER / name).read_bytes())
            # #from10min
            self.server.guard.check(self.command, self.client_address[0], self.headers.get("authorization", ""))
            # /from10min
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            status, body, headers = self.server.api.handle(self.command, url.path, query, self.read_json)
        except Exception as error:
            known = isinstance(error, HttpError)
            if not known:
                self.log_error("%r", error)
            # The body may not have been read, so the connection cannot be used again.
            self.close_connection = True
            status, body = (error.status, {"error": str(error)}) if known else (500, {"error": "Something went wrong"})
            headers = {"connection": "close", **(error.headers if known else {})}
        text = b"" if body is None else (json.dumps(body, ensure_ascii=False) + "\n").encode()
        self.respond(status, {"content-type": "application/json; charset=utf-8", **headers} if text else headers, text)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = answer

    def log_request(self, code="-", size="-"):
        """Errors are logged, requests are not."""
        # #from10min
        # Without the query, which may hold personal data.
        path = self.path.split("?")[0]
        print(json.dumps({"time": self.log_date_time_string(), "method": self.command, "path": path, "status": int(code)}), flush=True)
        # /from10min


def create_server(port, file):
    """Returns a server for the data in a file; port 0 takes a free one."""
    server = ThreadingHTTPServer(("", port), Handler)
    server.api = Api(Store(file))
    # #from10min
    server.guard = Guard(os.environ.get("API_KEY", ""), int(os.environ.get("RATE_LIMIT", "300")))
    # /from10min
    return server


if __name__ == "__main__":
    server = create_server(int(os.environ.get("PORT", "8080")), os.environ.get("DATA_FILE", FOLDER / "data.json"))
    print(f"Listening on http://localhost:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
