import { type Step, startVendor, type VendorRequest } from '../test/support/vendors/index.ts';
import { filesIn, Model, messageOf, recorded } from '../test/support/vendors/model.ts';
import { exactly, type Figure, measureMs, median, share } from './figure.ts';
import { startBenchService } from './on-cloud.ts';

/** Time passes so many times as fast. */
const SCALE = 10;
/** Characters per second of a model that writes 80 tokens a second. */
const PACE = 320 * SCALE;
const ROUNDS = 2;

const LARGE = filesIn(recorded('finance'));
const SMALL = new Map(Array.from(filesIn(recorded('snake'))).filter(([path]) => /index|sound|README/.test(path)));

const models = {
  large: new Model(LARGE, recorded('finance-plan')),
  small: new Model(SMALL),
};
type Size = keyof typeof models;

/** The number of characters that the vendor was asked for, by project. */
const sent: Record<Size, number> = { large: 0, small: 0 };

function scriptOf(_number: number, { body }: VendorRequest): readonly Step[] {
  const message = messageOf(body.messages);
  const size = message.includes('a large one') ? 'large' : 'small';
  const text = models[size].answer(message);
  sent[size] += text.length;
  return [{ text, pace: PACE }, { finish: 'complete' }];
}

/**
 * Measures whole projects at the pace of a model, with the contract's two minutes, against one call of the same vendor that
 * is not cut off. Time is scaled by ten.
 */
export async function paceBench(): Promise<Figure[]> {
  const vendor = await startVendor('openai-compatible', scriptOf);
  const parallel = await startStage(vendor.baseUrl, 4);
  const single = await startStage(vendor.baseUrl, 1);
  try {
    const times = { floor: [] as number[], parallel: [] as number[], single: [] as number[] };
    const small = { floor: [] as number[], single: [] as number[], parallel: [] as number[] };
    const outputs: number[] = [];
    let whole = 0;
    // As many at once as a large one has calls: its time would have their cold starts, which take as long as ever.
    for (const stage of [parallel, single])
      await Promise.all(Array.from({ length: 4 }, () => stage.generate('a small one')));
    for (let round = 0; round < ROUNDS; round++) {
      times.floor.push(await measureMs(() => callOf(vendor.baseUrl, 'a large one')));
      const floor = sent.large;
      sent.large = 0;
      times.parallel.push(await measureMs(async () => (whole += await parallel.generate('a large one'))));
      outputs.push(sent.large / floor);
      times.single.push(await measureMs(async () => (whole += await single.generate('a large one'))));
      sent.large = 0;
      small.floor.push(await measureMs(() => callOf(vendor.baseUrl, 'a small one')));
      small.single.push(await measureMs(() => single.generate('a small one')));
      small.parallel.push(await measureMs(() => parallel.generate('a small one')));
    }
    const ratio = (name: string, atMost: number, own: readonly number[], other: readonly number[]) =>
      share(name, { atMost }, median(own), median(other), 'ms');
    return [
      ratio('21,000 tokens in groups / one uncut call', 0.45, times.parallel, times.floor),
      ratio('21,000 tokens, one call at a time / one uncut call', 1.1, times.single, times.floor),
      share('their output tokens in groups / of one call', { atMost: 1.1 }, median(outputs), 1, ''),
      ratio('three files of 7 KB / one call', 1.2, small.single, small.floor),
      ratio('the same, if groups are possible / one call', 1.2, small.parallel, small.floor),
      exactly(`of ${2 * ROUNDS} large projects, complete byte for byte`, whole, 2 * ROUNDS),
    ];
  } finally {
    await Promise.all([parallel.close(), single.close(), vendor.close()]);
  }
}

let stages = 0;

async function startStage(baseUrl: string, parallel: number) {
  const provider = { kind: 'openai-compatible', model: 'm', baseUrl, parallel };
  const config = {
    providers: { 'provider-a': provider },
    // A cold start takes as long as ever.
    generation: { providerTimeoutSeconds: 120 / SCALE },
  };
  const cloud = await startBenchService(config, 3190 + 20 * stages++);
  return {
    /** @returns 1 if the project is what the model writes, 0 if not */
    generate: async (prompt: string) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ prompt });
      const response = await fetch(`${cloud.baseUrl}/api/v1/generate`, { method: 'POST', headers, body });
      const { files = [] } = (await response.json()) as { files?: { path: string; content: string }[] };
      const expected = prompt.includes('large') ? LARGE : SMALL;
      const same = files.filter(({ path, content }) => expected.get(path) === content);
      return Number(same.length === expected.size);
    },
    close: cloud.close,
  };
}

/** Reads one whole answer of the vendor's model. */
async function callOf(baseUrl: string, prompt: string): Promise<void> {
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: prompt }] });
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body });
  for await (const _chunk of response.body ?? []);
}
