"""The resource, its fields, and the operations on it."""

import uuid
from datetime import datetime, timezone

from listing import select

RESOURCE = "{{resource}}"
# The fields that callers may set, with their types, and those that they must set.
FIELDS = "{{fieldTypes}}"
REQUIRED = "{{requiredFields}}"
COLLECTION = f"/api/{RESOURCE}"
MAX_LENGTH = 1000


class HttpError(Exception):
    """An error with an HTTP status, a message for the caller, and headers."""

    def __init__(self, status, message, headers=None):
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def problem_with(name, value):
    # In Python, True is an int.
    types = {"string": str, "number": (int, float), "boolean": bool}
    is_right = isinstance(value, types[FIELDS[name]]) and (FIELDS[name] == "boolean" or not isinstance(value, bool))
    if not is_right:
        return f"{name} must be a {FIELDS[name]}"
    if isinstance(value, str) and not value.strip():
        return f"{name} is empty"
    if isinstance(value, str) and len(value) > MAX_LENGTH:
        return f"{name} is longer than {MAX_LENGTH} characters"
    return ""


def validate(body, partial):
    """Returns the known fields of a body, or raises 400 for the first invalid one."""
    if not isinstance(body, dict):
        raise HttpError(400, "Send one JSON object")
    for name in FIELDS:
        if name not in body:
            if name in REQUIRED and not partial:
                raise HttpError(400, f"{name} is missing")
        elif problem := problem_with(name, body[name]):
            raise HttpError(400, problem)
    return {name: body[name] for name in FIELDS if name in body}


class Api:
    def __init__(self, store):
        self.store = store

    def handle(self, method, path, query, read_json):
        """Returns the status, the body (None for none) and the headers. Raises HttpError for every client error."""
        rest = path[len(COLLECTION) :] if path.startswith(COLLECTION) else None
        if rest == "":
            methods = {"GET": lambda: self.list(query), "POST": lambda: self.create(read_json())}
        elif rest and rest[0] == "/" and rest[1:] and "/" not in rest[1:]:
            methods = {
                "GET": lambda: (200, self.find(rest[1:]), {}),
                "PATCH": lambda: self.change(rest[1:], read_json()),
                "DELETE": lambda: self.delete(rest[1:]),
            }
        else:
            raise HttpError(404, f"There is nothing at {path}")
        if method not in methods:
            allow = ", ".join(methods)
            raise HttpError(405, f"Use one of {allow}", {"allow": allow})
        return methods[method]()

    def find(self, key):
        for entry in self.store.entries:
            if entry["id"] == key:
                return entry
        raise HttpError(404, "There is nothing with this id")

    def list(self, query):
        try:
            found, headers = select(self.store.entries, query, COLLECTION, ["id", "createdAt", *FIELDS])
        except ValueError as error:
            raise HttpError(400, str(error)) from None
        return 200, found, headers

    def create(self, body):
        values = validate(body, partial=False)
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        entry = {"id": str(uuid.uuid4()), **values, "createdAt": now}
        with self.store.lock:
            self.store.replace([*self.store.entries, entry])
        return 201, entry, {"location": f"{COLLECTION}/{entry['id']}"}

    def change(self, key, body):
        values = validate(body, partial=True)
        with self.store.lock:
            changed = {**self.find(key), **values}
            self.store.replace([changed if entry["id"] == key else entry for entry in self.store.entries])
        return 200, changed, {}

    def delete(self, key):
        with self.store.lock:
            self.find(key)
            self.store.replace([entry for entry in self.store.entries if entry["id"] != key])
        return 204, None, {}
