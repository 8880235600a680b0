import type { Visitor } from './visitor.ts';

/** What must hold for a page: performed in order on one page, each from where the one before left it. */
export type Steps = Readonly<Record<string, (visitor: Visitor) => Promise<void>>>;

export interface Prompt {
  /** Unique, for `--only`. */
  readonly id: string;
  readonly category: string;
  readonly text: string;
  readonly steps: Steps;
}

/** Returns the prompts of one category. */
export const category = (
  name: string,
  prompts: Readonly<Record<string, readonly [string, Steps]>>,
): Prompt[] => Object.entries(prompts).map(([id, [text, steps]]) => ({ id, category: name, text, steps }));
