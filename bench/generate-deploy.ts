import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../local/service.ts';
import { exactly, type Figure, percentile } from './figure.ts';
import { measureMs, share } from './ratio.ts';

const PROMPTS = ['a timer', 'a quiz', 'a to-do list', 'a landing page', 'a kanban board'];
const COUNT = 100;
const EDGES = 5;

interface Live {
  readonly url: string;
}

/** Measures prompts that become live pages with one call, against the two calls made one after the other. */
export async function generateDeployBench(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const configFile = join(dir, 'config.json');
  writeFileSync(configFile, JSON.stringify({ stage: 'test', rateLimit: { anonymous: 1_000_000 } }));
  const settings = { port: 3190, backendPort: 3199, stateDir: join(dir, 'state'), configFile };
  const { baseUrl, close } = await startService(settings, { log: () => {} });
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json() as Promise<Body>;
  };
  const oneCall = async (prompt: string) =>
    (await post<{ deployment: Live }>('/api/v1/generate', { prompt, deploy: true })).deployment.url;
  const twoCalls = async (prompt: string) =>
    (await post<Live>('/api/v1/deploy', await post('/api/v1/generate', { prompt }))).url;
  const samples = { one: [] as number[], two: [] as number[] };
  let failed = 0;
  try {
    for (let i = -5; i < COUNT; i++) {
      const prompt = PROMPTS[Math.abs(i) % PROMPTS.length] ?? '';
      let url = '';
      const one = await measureMs(async () => {
        url = await oneCall(prompt);
      });
      // No edge but the first has seen the page.
      const edge = { 'x-local-edge': String(1 + (Math.abs(i) % (EDGES - 1))) };
      if (!(await fetch(`${url}/`, { headers: edge })).ok) failed++;
      const two = await measureMs(() => twoCalls(prompt));
      // The first ones start the functions.
      if (i >= 0) samples.one.push(one);
      if (i >= 0) samples.two.push(two);
    }
  } finally {
    await close();
    rmSync(dir, { recursive: true, force: true });
  }
  const [one, two] = [percentile(samples.one, 0.95), percentile(samples.two, 0.95)];
  return [
    exactly(`of ${COUNT} pages reported live, those that fail at a fresh edge`, failed, 0),
    share('generate with deploy / generate and deploy, p95', { atMost: 1.5 }, one, two, 'ms'),
  ];
}
