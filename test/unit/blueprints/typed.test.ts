import { readFileSync } from 'node:fs';
import { chooseKind } from '../../../blueprints/engine/choose.ts';
import { KINDS } from '../../../blueprints/engine/kinds.ts';
import { readPrompt } from '../../../blueprints/engine/read-prompt.ts';

/** Prompts as people type them, by the kind that a person would call fitting; `none` has those that no starter fits. */
const { none = [], ...TYPED }: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('typed.json', import.meta.url), 'utf8'),
);
/** So many of the prompts that no starter fits may get one. */
const TOLERATED = 2;
/** So many of the prompts that a starter fits may get none. */
const MISSED = 0.05;

const chosen = (prompt: string): string | null => chooseKind(readPrompt(prompt), KINDS)?.name ?? null;
// The choice for a prompt without words, so that these tests do not depend on how the engine says that nothing fits.
const NOTHING = chosen('');

/** Returns the prompts whose choice is none of `right`, with that choice. */
const others = (prompts: readonly string[], right: readonly (string | null)[]) =>
  prompts.map((prompt) => [prompt, chosen(prompt)] as const).filter(([, kind]) => !right.includes(kind));

describe('prompts as people type them', () => {
  for (const [kind, prompts] of Object.entries(TYPED)) {
    test(`never get another kind than ${kind}`, () => {
      expect(KINDS.map(({ name }) => name)).toContain(kind);
      expect(others(prompts, [kind, NOTHING])).toEqual([]);
    });
  }

  test(`get the kind that fits them, except ${MISSED * 100} % at most`, () => {
    const all = Object.entries(TYPED);
    const missed = all.flatMap(([kind, prompts]) => others(prompts, [kind]).map(([prompt]) => `${kind}: ${prompt}`));
    const allowed = Math.floor(all.flatMap(([, prompts]) => prompts).length * MISSED);
    expect(missed.length > allowed ? missed : []).toEqual([]);
  });

  test(`get no kind if none fits, except ${TOLERATED} at most`, () => {
    const got = others(none, [NOTHING]);
    expect(got.length > TOLERATED ? got : []).toEqual([]);
  });
});
