import type { AttemptRequest } from '../../lambda/generation/providers/provider.ts';

/** The first attempt of a new project. */
export const REQUEST: AttemptRequest = {
  prompt: 'a pomodoro timer with a dark theme',
  duration: 'auto',
  kind: 'write',
  edits: false,
  amends: false,
  date: Date.UTC(2026, 10, 23),
  parallel: 1,
  changed: [],
  locked: [],
  files: [],
  images: [],
  unwritten: [],
  problems: [],
};
