import type { Kind } from '../types.ts';
import { calculator } from './calculator.ts';
import { landing } from './landing.ts';
import { notes } from './notes.ts';
import { page } from './page.ts';
import { quiz } from './quiz.ts';
import { timer } from './timer.ts';
import { todo } from './todo.ts';

/** In the order in which ties are resolved; the last one is what fits everything. */
export const KINDS: readonly Kind[] = [landing, todo, timer, calculator, notes, quiz, page];
