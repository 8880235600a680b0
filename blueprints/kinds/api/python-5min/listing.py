"""Chooses, sorts and pages the entries of a list."""

from urllib.parse import urlencode

USUAL = 50
MOST = 200


def holds(entry, text):
    return any(text.lower() in str(value).lower() for value in entry.values())


def whole_number(query, name, usual):
    text = query.get(name, str(usual))
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError(f"{name} must be a whole number")
    return int(text)


def as_text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def sort(entries, keys, names):
    """Sorts by “-year,title”: a minus means descending, missing values come last."""
    for key in reversed(keys.split(",") if keys else []):
        name = key[1:] if key.startswith("-") else key
        if name not in names:
            raise ValueError(f"sort takes {', '.join(names)}, with a minus for descending order")
        known = [entry for entry in entries if name in entry]
        known.sort(key=lambda entry: entry[name], reverse=key.startswith("-"))
        entries = known + [entry for entry in entries if name not in entry]
    return entries


def links(query, path, offset, limit, total):
    """Returns the Link header (RFC 8288) for the previous and the next page."""
    targets = {"prev": max(0, offset - limit) if offset > 0 else None, "next": offset + limit if offset + limit < total else None}
    found = [
        f'<{path}?{urlencode({**query, "offset": start})}>; rel="{rel}"' for rel, start in targets.items() if start is not None
    ]
    return {"link": ", ".join(found)} if found else {}


def select(entries, query, path, names):
    """Returns a page of entries and its headers. Raises ValueError for an invalid parameter."""
    wanted = {name: query[name] for name in names if name in query}
    found = [entry for entry in entries if holds(entry, query.get("search", ""))]
    found = [entry for entry in found if all(as_text(entry.get(name)) == text for name, text in wanted.items())]
    found = sort(found, query.get("sort", ""), names)
    limit = max(1, min(MOST, whole_number(query, "limit", USUAL)))
    offset = whole_number(query, "offset", 0)
    headers = {"x-total-count": str(len(found)), **links(query, path, offset, limit, len(found))}
    return found[offset : offset + limit], headers
