import { DATA } from './data.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { GAMES } from './games.ts';
import { PAGES } from './pages.ts';
import { BEYOND, PROGRAMS } from './programs.ts';
import { TOOLS } from './tools.ts';
import type { Prompt } from './visitor.ts';

/** The checked-in set. */
export const PROMPTS: readonly Prompt[] = [
  ...GAMES,
  ...TOOLS,
  ...PAGES,
  ...DATA,
  ...PROGRAMS,
  ...FRAMEWORKS,
  ...BEYOND,
];
