"""Checks who may send a request, and how often."""

import hmac
import threading
import time

from api import HttpError

MINUTE = 60
# Bounds the memory: beyond this number, the addresses that were seen first are evicted.
MOST_ADDRESSES = 10_000


class Guard:
    """Callers that change data must send `key`; without a key everybody may. `now` returns seconds."""

    def __init__(self, key, per_minute, now=time.monotonic):
        self.key, self.per_minute, self.now = key, per_minute, now
        self.windows = {}
        self.lock = threading.Lock()

    def check(self, method, address, authorization):
        """Raises HttpError 401 or 429."""
        with self.lock:
            end, requests = self.windows.pop(address, (0, 0))
            if end <= self.now():
                end, requests = self.now() + MINUTE, 0
            self.windows[address] = (end, requests + 1)
            if len(self.windows) > MOST_ADDRESSES:
                del self.windows[next(iter(self.windows))]
        if requests >= self.per_minute:
            raise HttpError(429, "Too many requests", {"retry-after": str(int(end - self.now()) + 1)})
        if self.key and method != "GET" and not hmac.compare_digest(authorization.encode(), f"Bearer {self.key}".encode()):
            raise HttpError(401, "Send the key: authorization: Bearer …", {"www-authenticate": "Bearer"})
