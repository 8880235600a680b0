import { setTimeout as sleep } from 'node:timers/promises';
import { check, expectStatus } from './checks.ts';
import { type SmokeResponse, short } from './http.ts';
import type { Session } from './session.ts';

/**
 * Checks that the first visit after the response to a deploy shows its version. Returns a note if this stage lets the edge
 * keep pages for a while (`deployments.edgeSeconds`).
 */
export async function expectVisible(session: Session, version: number): Promise<string | undefined> {
  const page = await session.visit('');
  expectStatus(page, 200);
  if (shows(page, version)) return undefined;
  const seconds = edgeSeconds(page);
  const { 'x-cache': cache = 'no X-Cache', 'cache-control': control } = page.headers;
  const found = `${short(page.text)} (${cache}; ${control})`;
  check(seconds > 0, `The first visit after the deploy of version ${version} shows ${found}`);
  return `the edge may show an older version for ${seconds} s (edgeSeconds)`;
}

/** Waits until visitors see the live version, if this stage lets the edge keep pages for a while. */
export async function settle(session: Session): Promise<void> {
  const { live } = await session.site();
  let page = await session.visit('');
  for (let left = edgeSeconds(page); left > 0 && !shows(page, live.n); left--) {
    await sleep(1_000);
    page = await session.visit('');
  }
}

const shows = ({ text }: SmokeResponse, version: number) => text.includes(`<title>Version ${version}</title>`);

/** Returns for how many seconds the edge may respond with a page without revalidating it. */
export function edgeSeconds({ headers }: SmokeResponse): number {
  return Number(/s-maxage=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0);
}
