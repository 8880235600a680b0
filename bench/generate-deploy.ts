import { exactly, type Figure, percentile } from './figure.ts';
import { measureMs, share } from './ratio.ts';
import { startBenchService } from './service.ts';

const PROMPTS = ['a timer', 'a quiz', 'a to-do list', 'a landing page', 'a kanban board'];
const COUNT = 100;
const EDGES = 5;

interface Live {
  readonly url: string;
}

/** Measures prompts that become live pages with one call, against the two calls made one after the other. */
export async function generateDeployBench(): Promise<Figure[]> {
  const { baseUrl, close } = await startBenchService();
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
  }
  const [one, two] = [percentile(samples.one, 0.95), percentile(samples.two, 0.95)];
  return [
    exactly(`of ${COUNT} pages reported live, those that fail at a fresh edge`, failed, 0),
    share('generate with deploy / generate and deploy, p95', { atMost: 1.5 }, one, two, 'ms'),
  ];
}
