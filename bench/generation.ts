import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../local/service.ts';
import { atMost, type Figure, percentile } from './figure.ts';

const JOBS = 60;
const AT_ONCE = 50;
const DELAY_MS = 300;

const CONFIG = {
  stage: 'test',
  providers: { 'provider-a': { kind: 'scripted', script: 'answer', delayMs: DELAY_MS } },
  rateLimit: { anonymous: 1_000_000 },
};

/** The overhead of a generation over its provider's own time, through the whole local cloud. */
export async function generationBench(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const configFile = join(dir, 'config.json');
  writeFileSync(configFile, JSON.stringify(CONFIG));
  const settings = { port: 3190, backendPort: 3199, stateDir: join(dir, 'state'), configFile };
  const cloud = await startService(settings, { log: () => {} });
  try {
    for (let i = 0; i < 5; i++) await overhead(cloud.baseUrl);
    const overheads: number[] = [];
    for (let i = 0; i < JOBS; i++) overheads.push(await overhead(cloud.baseUrl));
    const delays: number[] = [];
    for (let i = 0; i < 20; i++) delays.push(await fileDelay(cloud.baseUrl));
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => generate(cloud.baseUrl)));
    const right = atOnce.filter(({ status, body }) => status === 200 && body.fileCount === 1).length;
    return [
      atMost('generation over its provider, p50', percentile(overheads, 0.5), 250, 'ms'),
      atMost('generation over its provider, p95', percentile(overheads, 0.95), 500, 'ms'),
      atMost('file event after the file, p95', percentile(delays, 0.95), 500, 'ms'),
      {
        name: 'of 50 generations at once, right',
        value: right,
        unit: '',
        bound: '= 50',
        ok: right === AT_ONCE,
      },
    ];
  } finally {
    await cloud.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function generate(baseUrl: string, headers: Record<string, string> = {}) {
  const response = await post(baseUrl, headers);
  return { status: response.status, body: (await response.json()) as { fileCount: number } };
}

function post(baseUrl: string, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ prompt: 'a page' });
  const all = { 'content-type': 'application/json', ...headers };
  return fetch(`${baseUrl}/api/v1/generate`, { method: 'POST', headers: all, body });
}

async function overhead(baseUrl: string): Promise<number> {
  const before = performance.now();
  await generate(baseUrl);
  return performance.now() - before - DELAY_MS;
}

/** From when the provider has written the file to when its event is here: the attempt's start is in the stream. */
async function fileDelay(baseUrl: string): Promise<number> {
  const response = await post(baseUrl, { accept: 'text/event-stream' });
  let text = '';
  let arrived = 0;
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (arrived === 0 && text.includes('event: file')) arrived = Date.now();
  }
  const startedAt = Number(/"startedAt":(\d+)/.exec(text)?.[1]);
  return arrived - startedAt - DELAY_MS;
}
