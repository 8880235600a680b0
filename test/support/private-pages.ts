import { newCaller, type Sent, type TestResponse } from './cloud/client.ts';

export const SITE_DOMAIN = 'sites.localhost';
export const NAVIGATE = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };

/** The edges of the local CloudFront. */
export const EDGES = ['0', '1', '2', '3', '4'];

/** Returns a function that asks for paths of a deployment on its own origin. */
export function visitorOf(id: string, baseUrl: string) {
  const caller = newCaller(`http://${id}.${SITE_DOMAIN}:${new URL(baseUrl).port}`);
  return (path: string, sent: Sent = {}): Promise<TestResponse> => caller.send(path, sent);
}

/** Returns the Cookie header for what a response sets. */
export function cookieOf({ headers }: Pick<TestResponse, 'headers'>): { cookie: string } {
  return { cookie: (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
}

export const pathOf = (url: unknown) => String(url).replace(/^http:\/\/[^/]+/, '');

/** Expects that a response has nothing of a page with secrets, and that no cache may keep it. */
export function expectClosed(response: TestResponse, status = 403): void {
  expect(response).toMatchObject({ status, text: expect.not.stringContaining('secret') });
  expect(response.headers['cache-control']).toMatch(/no-store/);
  expect(response.headers['x-cache']).toBe('Error from cloudfront');
}
