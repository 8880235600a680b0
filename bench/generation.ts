import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '../lambda/generation/providers/provider.ts';
import { scriptedProvider } from '../lambda/generation/providers/scripted.ts';
import { startService } from '../local/service.ts';
import { exactly, type Figure } from './figure.ts';
import { measureMs, ratio } from './ratio.ts';

const AT_ONCE = 50;
const PROVIDER = { kind: 'scripted', script: 'answer', delayMs: 300 } as const;

const CONFIG = {
  stage: 'test',
  providers: { 'provider-a': PROVIDER },
  rateLimit: { anonymous: 1_000_000 },
};

/** Measures generations in the local cloud against the same provider called directly. */
export async function generationBench(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const configFile = join(dir, 'config.json');
  writeFileSync(configFile, JSON.stringify(CONFIG));
  const settings = { port: 3190, backendPort: 3199, stateDir: join(dir, 'state'), configFile };
  const cloud = await startService(settings, { log: () => {} });
  try {
    const provider = () => measureMs(providerAlone);
    const whole = () => measureMs(() => generate(cloud.baseUrl));
    const file = () => untilFile(cloud.baseUrl);
    const figures = [
      await ratio('generation / its provider', { atMost: 1.8 }, whole, provider, { seconds: 20 }),
      await ratio('file event of an attempt / its provider', { atMost: 2.5 }, file, provider, {
        seconds: 20,
      }),
    ];
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => generate(cloud.baseUrl)));
    const succeeded = atOnce.filter(({ status, body }) => status === 200 && body.fileCount === 1).length;
    return [...figures, exactly('of 50 concurrent generations, succeeded', succeeded, AT_ONCE)];
  } finally {
    await cloud.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Reads the provider's whole output, which does not depend on the request. */
async function providerAlone(): Promise<void> {
  const request = {} as Parameters<Provider['write']>[0];
  for await (const _event of scriptedProvider(PROVIDER).write(request, new AbortController().signal));
}

async function generate(baseUrl: string) {
  const response = await post(baseUrl, {});
  return { status: response.status, body: (await response.json()) as { fileCount: number } };
}

function post(baseUrl: string, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ prompt: 'a page' });
  const all = { 'content-type': 'application/json', ...headers };
  return fetch(`${baseUrl}/api/v1/generate`, { method: 'POST', headers: all, body });
}

/** Returns the milliseconds from the attempt's `startedAt` to its file event. */
async function untilFile(baseUrl: string): Promise<number> {
  const response = await post(baseUrl, { accept: 'text/event-stream' });
  let text = '';
  let arrived = 0;
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (arrived === 0 && text.includes('event: file')) arrived = Date.now();
  }
  return arrived - Number(/"startedAt":(\d+)/.exec(text)?.[1]);
}
