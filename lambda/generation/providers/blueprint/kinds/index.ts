import type { Kind } from '../types.ts';
import { api } from './api.ts';
import { calculator } from './calculator.ts';
import { cli } from './cli.ts';
import { dashboard } from './dashboard.ts';
import { form } from './form.ts';
import { kanban } from './kanban.ts';
import { landing } from './landing.ts';
import { notes } from './notes.ts';
import { page } from './page.ts';
import { portfolio } from './portfolio.ts';
import { quiz } from './quiz.ts';
import { snake } from './snake.ts';
import { timer } from './timer.ts';
import { todo } from './todo.ts';

/** In the order in which ties are resolved; the last one is what fits everything. */
export const KINDS: readonly Kind[] = [
  landing,
  portfolio,
  kanban,
  todo,
  timer,
  calculator,
  notes,
  quiz,
  dashboard,
  form,
  snake,
  api,
  cli,
  page,
];
