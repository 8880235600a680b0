import { setTimeout } from 'node:timers/promises';
import { unpackSite } from '../../lambda/sites/archive.ts';
import { png } from './images.ts';

let looks = 0;

const PICTURES = { 390: png(39, 84), 1280: png(128, 80) };
const SEEN = { browser: 'Chromium 1', ms: 1 };

/** Returns what the look function would, or what it never should, as the file `mode` of the site says. */
export async function handler(event: { readonly in: string; readonly entry: string }): Promise<unknown> {
  console.log('{"event":"look"}');
  looks += 1;
  const site = unpackSite(Buffer.from(await (await fetch(event.in)).arrayBuffer()));
  const mode = String(site.get('mode') ?? '');
  if (mode === 'wait') await setTimeout(400);
  if (mode === 'hang') await setTimeout(60_000);
  if (mode === 'exit') process.exit(139);
  if (mode === 'throw') throw new TypeError('a mistake of the engine');
  if (mode === 'failed') return { looked: false, reason: `The browser did not start ${'!'.repeat(1_000)}` };
  const message = `${event.entry} of ${[...site.keys()]}, look ${looks}`;
  const problems = [{ kind: 'error', message, path: 'a.js', line: 3, column: 7, blocking: true }];
  const [small, large] = Object.values(PICTURES).map((bytes) => bytes.toString('base64'));
  const screenshots = { 390: small, 1280: large };
  if (mode === 'one picture') return { looked: true, problems, screenshots: { 390: small }, ...SEEN };
  if (mode === 'no PNG')
    return { looked: true, problems, screenshots: { 390: Buffer.from('<svg/>').toString('base64') } };
  if (mode === 'bomb')
    return { looked: true, problems, screenshots: { 390: png(1, 1).fill(0xff, 16, 24).toString('base64') } };
  if (mode === 'many') return { looked: true, problems: Array(30).fill(problems[0]), screenshots };
  if (mode === 'long')
    return { looked: true, problems: [{ kind: 'error', message: '!'.repeat(400) }], screenshots };
  return { looked: true, problems, screenshots, ...SEEN };
}
