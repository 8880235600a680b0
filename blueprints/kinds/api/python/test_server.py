import json
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from api import COLLECTION, FIELDS, REQUIRED
from server import create_server

SAMPLES = {"string": "A first one", "number": 12, "boolean": False}
SAMPLE = {name: SAMPLES[kind] for name, kind in FIELDS.items()}


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "data.json"
        self.server = create_server(0, self.file)
        self.addCleanup(self.server.server_close)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(self.server.shutdown)

    def send(self, method, path="", body=None, kind="application/json"):
        url = f"http://127.0.0.1:{self.server.server_port}{COLLECTION}{path}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"content-type": kind}, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, json.loads(response.read() or b"null"), response.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read()), error.headers

    def test_an_entry_is_created_read_changed_and_deleted(self):
        status, created, headers = self.send("POST", "", {**SAMPLE, "unknown": 1})
        self.assertEqual((status, headers["location"]), (201, f"{COLLECTION}/{created['id']}"))
        self.assertNotIn("unknown", created)
        path = f"/{created['id']}"
        self.assertEqual(self.send("GET", path)[1], created)
        self.assertEqual(self.send("PATCH", path, {REQUIRED[0]: SAMPLE[REQUIRED[0]]})[1], created)
        self.assertEqual(json.loads(self.file.read_text("utf-8")), [created])
        self.assertEqual(self.send("DELETE", path)[0], 204)
        self.assertEqual(self.send("GET", path)[0], 404)

    def test_lists_are_searched(self):
        created = self.send("POST", "", SAMPLE)[1]
        _, found, headers = self.send("GET", f"?search={created['id']}")
        self.assertEqual((found, headers["x-total-count"]), ([created], "1"))
        self.assertEqual(self.send("GET", "?search=nothing-has-this")[1], [])

    def test_errors_name_the_problem(self):
        self.assertEqual(self.send("POST", "", {})[:2], (400, {"error": f"{REQUIRED[0]} is missing"}))
        self.assertEqual(self.send("POST", "", {**SAMPLE, REQUIRED[0]: [1]})[0], 400)
        self.assertEqual(self.send("POST", "", SAMPLE, kind="text/plain")[0], 415)
        self.assertEqual(self.send("POST", "", "x" * 200_000)[0], 413)
        self.assertEqual(self.send("PUT", "", {})[2]["allow"], "GET, POST")
        self.assertEqual(self.send("GET", "/nothing")[0], 404)


if __name__ == "__main__":
    unittest.main()
