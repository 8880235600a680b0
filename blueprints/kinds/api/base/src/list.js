/** Returns the entries that contain the search text, and a header with their number. */
export function list(entries, { searchParams }) {
  const search = (searchParams.get('search') ?? '').toLowerCase();
  const holds = (entry) => Object.values(entry).some((value) => String(value).toLowerCase().includes(search));
  const found = entries.filter(holds);
  return { entries: found, headers: { 'x-total-count': String(found.length) } };
}
