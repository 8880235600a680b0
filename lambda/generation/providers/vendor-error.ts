/** Depth of an error in an error, such as one that a gateway passes on. */
const DEEPEST = 6;

/** The fields with a message, or with an object that has one, in the order in which they are preferred. */
const FIELDS = ['error', 'message', 'Message', 'msg', 'detail', 'errors', 'error_message', 'raw'];

/**
 * Returns the vendor's message; servers with another vendor's protocol rarely have the same shape of errors. The message
 * of a gateway is followed by that of the vendor behind it.
 */
export function vendorMessage(body: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof body === 'string')
    return vendorMessage(documentIn(body), depth + 1) ?? (body.trim() || undefined);
  if (Array.isArray(body)) return vendorMessage(body[0], depth + 1);
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = body as Readonly<Record<string, unknown>>;
  const own = FIELDS.map((name) => vendorMessage(fields[name], depth + 1)).find(Boolean);
  const inner = vendorMessage(fields.metadata, depth + 1);
  return own !== undefined && inner !== undefined ? `${own}: ${inner}` : (own ?? inner);
}

/** Returns the value of a text that is a JSON object or array. */
function documentIn(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
}

/** Returns the value of JSON; undefined if it is none. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the title of a page, which may be empty; undefined if a text is no page. */
export function pageTitle(text: string): string | undefined {
  if (!/^\s*<(?:!doctype|!--|html|head|body|\?xml)/i.test(text)) return undefined;
  return /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim() ?? '';
}

/** Returns the codes of an error, such as `rate_limit_exceeded 429`: its values that are no sentences. */
export function codesOf(body: unknown, depth = 0): string {
  if (depth > DEEPEST || typeof body !== 'object' || body === null) return '';
  return Object.entries(body)
    .map(([name, value]) => {
      if (CODE_FIELDS.has(name) && (typeof value === 'string' || typeof value === 'number')) return value;
      return codesOf(typeof value === 'string' ? documentIn(value) : value, depth + 1);
    })
    .filter((code) => code !== '')
    .join(' ');
}

const CODE_FIELDS = new Set([
  'code',
  'type',
  'status',
  'reason',
  'name',
  '__type',
  'statusCode',
  'status_code',
]);

/** Returns the HTTP status that an error names in its body; undefined if it names none. */
export function statusIn(body: unknown): number | undefined {
  const status = /(?<!\S)[45]\d\d(?!\S)/.exec(codesOf(body))?.[0];
  return status === undefined ? undefined : Number(status);
}
