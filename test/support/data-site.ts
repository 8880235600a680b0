import { newCaller, type TestResponse } from './cloud/client.ts';
import { SITE_DOMAIN } from './private-pages.ts';

const schema = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});
const text = { type: 'string', minLength: 1, maxLength: 200 };

/** The declaration of a site with a guestbook, a registration with three places, and votes. */
export const DECLARATION = {
  messages: {
    create: 'visitor',
    read: 'visitor',
    update: 'author',
    delete: 'author',
    schema: schema({ name: text, text }),
  },
  registrations: {
    create: 'visitor',
    count: 'visitor',
    most: 3,
    unique: 'email',
    schema: schema({ email: { type: 'string', format: 'email' } }),
  },
  votes: {
    create: 'visitor',
    count: 'visitor',
    unique: 'visitor',
    tally: 'choice',
    schema: schema({ choice: { type: 'string', enum: ['tea', 'coffee'] } }),
  },
};

/** The same without what needs an origin of the site's own. */
export const SHARED_DECLARATION = {
  messages: { ...DECLARATION.messages, update: 'owner', delete: 'owner' },
  registrations: DECLARATION.registrations,
};

export const filesOf = (declaration: object): Record<string, string> => ({
  'index.html': '<!doctype html><title>Guestbook</title><form action="./.data/messages" method="post"></form>',
  '_data.json': JSON.stringify(declaration),
});

/** The origin of a site on a local cloud. */
export const originOf = (id: string, baseUrl: string): string => `http://${id}.${SITE_DOMAIN}:${new URL(baseUrl).port}`;

/** A browser with the cookies of one site, whose pages call the site's data. */
export function browserOf(origin: string, base = '/') {
  const caller = newCaller(origin);
  const cookies = new Map<string, string>();
  return async (
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<TestResponse> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await caller.send(`${base}.data/${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        'user-agent': 'Mozilla/5.0',
        ...(cookie !== '' && { cookie }),
        ...headers,
      },
    });
    for (const set of response.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    return response;
  };
}
