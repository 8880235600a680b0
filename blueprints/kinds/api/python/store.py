"""Keeps the entries in memory and in a JSON file."""

import json
import os
import threading


class Store:
    def __init__(self, file):
        self.file = str(file)
        # Whoever changes entries holds it from reading them to replacing them.
        self.lock = threading.Lock()
        try:
            with open(self.file, encoding="utf-8") as data:
                self.entries = json.load(data)
        except FileNotFoundError:
            self.entries = []

    def replace(self, entries):
        """Replaces the data. The file is renamed into place, so a crash never truncates it."""
        with open(f"{self.file}.new", "w", encoding="utf-8") as data:
            json.dump(entries, data, ensure_ascii=False, indent=2)
        os.replace(f"{self.file}.new", self.file)
        self.entries = entries
