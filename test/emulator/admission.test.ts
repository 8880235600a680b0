import { setTimeout as sleep } from 'node:timers/promises';
import { Admission, type Turn } from '../../local/cloud/lambda/pool.ts';

/** Returns an environment with a constant load. */
const busy = (part: number) => ({ utilization: () => part });

/** Waits for a turn and records the name of its function. */
async function begin(admission: Admission, functionName: string, begun: string[]): Promise<Turn> {
  const turn = await admission.enter(functionName);
  begun.push(functionName);
  return turn;
}

test('runs one invocation per processor, and starts the next when one ends', async () => {
  const admission = new Admission(3);
  const begun: string[] = [];
  const turns = Array.from({ length: 5 }, () => begin(admission, 'f', begun));
  await sleep(100);
  expect(begun).toHaveLength(3);
  for (const turn of turns) {
    admission.leave(await turn);
    await sleep(0);
    expect(begun.length).toBe(Math.min(5, 3 + turns.indexOf(turn) + 1));
  }
});

test('does not count waiting invocations, and counts them again when they are busy', async () => {
  const admission = new Admission(2);
  const begun: string[] = [];
  for (let i = 0; i < 20; i++) (await begin(admission, 'f', begun)).environment = busy(0);
  const works = await begin(admission, 'g', begun);
  let part = 1;
  works.environment = { utilization: () => part };
  (await begin(admission, 'g', begun)).environment = busy(1);
  const waits = begin(admission, 'h', begun);
  await sleep(100);
  expect(begun.at(-1)).toBe('g');
  part = 0.2;
  await waits;
});

test('alternates between functions, and keeps the order of each function’s invocations', async () => {
  const admission = new Admission(2);
  const running = [await admission.enter('f'), await admission.enter('f')];
  const begun: string[] = [];
  const later = ['f1', 'f2', 'f3', 'g1', 'g2', 'h1'].map(async (name) => {
    const turn = await admission.enter(name.slice(0, 1));
    begun.push(name);
    await sleep(5);
    admission.leave(turn);
  });
  for (const turn of running) admission.leave(turn);
  await Promise.all(later);
  expect(begun).toEqual(['f1', 'g1', 'h1', 'f2', 'g2', 'f3']);
});

test('starts invocations of disconnected clients last', async () => {
  const admission = new Admission(2);
  const running = [await admission.enter('f'), await admission.enter('f')];
  const begun: string[] = [];
  const client = new AbortController();
  const enter = async (name: string, clientGone?: AbortSignal) => {
    const turn = await admission.enter(name.slice(0, 1), clientGone);
    begun.push(name);
    await sleep(5);
    admission.leave(turn);
  };
  const all = [
    enter('f1', client.signal),
    enter('g1', client.signal),
    enter('f2', new AbortController().signal),
    enter('f3'),
    enter('h1'),
  ];
  client.abort();
  for (const turn of running) admission.leave(turn);
  await Promise.all(all);
  expect(begun).toEqual(['f2', 'h1', 'f3', 'g1', 'f1']);
});

test('limits a function to 64 concurrent invocations without delaying others', async () => {
  const admission = new Admission(2);
  const begun: string[] = [];
  const turns: Turn[] = [];
  for (let i = 0; i < 64; i++) {
    const turn = await begin(admission, 'f', begun);
    turn.environment = busy(0);
    turns.push(turn);
  }
  const next = begin(admission, 'f', begun);
  await begin(admission, 'g', begun);
  expect(begun.slice(64)).toEqual(['g']);
  admission.leave(turns[0] as Turn);
  await next;
});
