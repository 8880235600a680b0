import type { Call, Input } from '../browser-data.ts';

/**
 * Returns the request of a filled-in form.
 * @param values by input; empty ones are not sent
 * @param credential an API key or access token, or an empty string
 * @throws Error that says which input is wrong
 */
export function requestOf(
  { method, path, inputs }: Pick<Call, 'method' | 'path' | 'inputs'>,
  values: ReadonlyMap<Input, string>,
  credential: string,
  origin: string,
): { readonly url: string; readonly init: RequestInit } {
  const all = inputs.map((input) => ({ ...input, text: values.get(input)?.trim() ?? '' }));
  const missing = all.find(({ required, text }) => required && text === '');
  if (missing) throw new Error(`${missing.name} is empty`);
  const given = (sent: Input['sent']) => all.filter((input) => input.sent === sent && input.text !== '');

  const segments = given('path').map(({ name, text }) => [`{${name}}`, encodeURIComponent(text)] as const);
  const target = segments.reduce((before, [mark, text]) => before.replace(mark, text), path);
  const url = new URL(target, origin);
  for (const { name, text } of given('query')) url.searchParams.set(name, text);
  if (url.origin !== origin) throw new Error(`The request would leave ${origin}`);

  const hasBody = inputs.some(({ sent }) => sent === 'request');
  const headers = {
    ...Object.fromEntries(given('headers').map(({ name, text }) => [name, text])),
    ...(credential ? { Authorization: `Bearer ${credential}` } : {}),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  };
  const body = Object.fromEntries(given('request').map(({ name, type, text }) => [name, parse(name, type, text)]));
  const init: RequestInit = { method, headers, credentials: 'omit', cache: 'no-store' };
  // The policy of the page (`connect-src`) blocks redirects to other origins.
  return { url: url.href, init: hasBody ? { ...init, body: JSON.stringify(body) } : init };
}

function parse(name: string, type: string, text: string): unknown {
  try {
    return /^(array|object|map|integer|number|boolean)/.test(type) ? JSON.parse(text) : text;
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message}`);
  }
}
