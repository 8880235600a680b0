import { type Stores, startStores } from '../support/generation.ts';
import { filesIn, type Manner, Model, partsOf, recorded } from '../support/vendors/model.ts';
import { type Ending, type Writing, writeProject } from '../support/written-projects.ts';

const MANNERS: readonly Manner[] = [
  'as asked',
  'without its marker',
  'in a fence',
  'from the start',
  'from earlier lines',
];
const HOW: readonly Ending['how'][] = ['reset', 'length', 'end of stream', 'stall'];

/** What is written: a new project by one answer, one in groups, or a change of a project. */
type What = 'project' | 'groups' | 'change';

const FINANCE = recorded('finance');
const CHANGE = recorded('finance-change');

/** An answer that breaks off. */
interface Cut {
  readonly what: What;
  /** The part of the answer that arrives, from 0 to 1. */
  readonly part: number;
  /** The number of the call that breaks off; each further one breaks off as well, later, up to `times`. */
  readonly call: number;
  readonly times: number;
  readonly manner: Manner;
  readonly how: Ending['how'];
}

/** Returns a cut for a number, different ones for different numbers. */
function cutOf(number: number, random: () => number): Cut {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const what = (['project', 'groups', 'change'] as const)[number % 3] as What;
  const part = random();
  const manner = pick(MANNERS);
  // An answer that starts a file over each time and gets less far each time adds nothing.
  const times = manner === 'from the start' || part < 0.1 ? 1 : 1 + Math.floor(random() * 3);
  return { what, part, call: 1 + Math.floor(random() * 2), times, manner, how: pick(HOW) };
}

let whole: Promise<ReadonlyMap<string, string | Uint8Array>> | undefined;

/** Writes a project or a change whose answers break off. @returns how it differs from one whose answers do not */
async function defectsOf(stores: Stores, cut: Cut): Promise<string[]> {
  const { what } = cut;
  whole ??= writeProject(stores, changing()).then(({ files }) => files);
  const expected = what === 'change' ? await whole : filesIn(FINANCE);
  const { generation, files } = await writeProject(stores, writingOf(cut));
  const { status, problems = [] } = generation;
  const paths = new Set([...files.keys(), ...expected.keys()]);
  const wrong = Array.from(paths).filter((path) => files.get(path) !== expected.get(path));
  return [...(status === 'succeeded' ? [] : [status]), ...problems, ...wrong.map((path) => `differs: ${path}`)];
}

function writingOf({ what, part, call, times, manner, how }: Cut): Writing {
  const { length } = what === 'change' ? CHANGE : FINANCE;
  const endings: Writing['endings'] = ({ number }) => {
    const index = number - call;
    if (index < 0 || index >= times) return undefined;
    const at = Math.max(600, Math.ceil((length * part) / (index + 1)));
    return { at, how };
  };
  if (what === 'change') return { ...changing(manner), endings };
  const plan = what === 'groups' ? recorded('finance-plan') : '';
  const model = new Model(filesIn(FINANCE), plan, manner);
  return { answer: (text) => model.answer(text), endings, parallel: what === 'groups' ? 4 : 1 };
}

function changing(manner: Manner = 'as asked'): Writing {
  const { parts, edits } = partsOf(CHANGE);
  const model = new Model(parts, '', manner, edits);
  const files = Array.from(filesIn(FINANCE), ([path, content]) => ({
    path,
    content,
    size: Buffer.byteLength(content),
  }));
  return { answer: (text) => model.answer(text), given: { parent: { files } } };
}

const CUTS = 100;
const AT_ONCE = 10;

const stores = await startStores();

/** A linear congruential generator, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

it('nothing is lost, doubled or mixed, wherever the answers break off', async () => {
  const random = randomFrom(Number(process.env.SEED ?? 21));
  const cuts = Array.from({ length: CUTS }, (_, number) => cutOf(number, random));
  const wrong: unknown[] = [];
  const next = async (): Promise<void> => {
    for (let cut = cuts.shift(); cut; cut = cuts.shift()) {
      const defects = await defectsOf(stores, cut);
      if (defects.length > 0) wrong.push({ ...cut, defects });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  expect(wrong).toEqual([]);
}, 1_800_000);
