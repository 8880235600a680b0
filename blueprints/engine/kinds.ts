import { api, pythonApi } from '../api/kind.ts';
import { blog } from '../blog/kind.ts';
import { breakout } from '../breakout/kind.ts';
import { calculator } from '../calculator/kind.ts';
import { chat } from '../chat/kind.ts';
import { cli } from '../cli/kind.ts';
import { clocks } from '../clocks/kind.ts';
import { converter } from '../converter/kind.ts';
import { dashboard } from '../dashboard/kind.ts';
import { drawing } from '../drawing/kind.ts';
import { drums } from '../drums/kind.ts';
import { event } from '../event/kind.ts';
import { flashcards } from '../flashcards/kind.ts';
import { form } from '../form/kind.ts';
import { gantt } from '../gantt/kind.ts';
import { invoice } from '../invoice/kind.ts';
import { kanban } from '../kanban/kind.ts';
import type { Kind } from '../kit/types.ts';
import { landing } from '../landing/kind.ts';
import { memory } from '../memory/kind.ts';
import { notes } from '../notes/kind.ts';
import { page } from '../page/kind.ts';
import { player } from '../player/kind.ts';
import { portfolio } from '../portfolio/kind.ts';
import { quiz } from '../quiz/kind.ts';
import { recipes } from '../recipes/kind.ts';
import { rename } from '../rename/kind.ts';
import { resume } from '../resume/kind.ts';
import { snake } from '../snake/kind.ts';
import { tictactoe } from '../tictactoe/kind.ts';
import { timer } from '../timer/kind.ts';
import { todo } from '../todo/kind.ts';
import { tracker } from '../tracker/kind.ts';
import { twenty48 } from '../twenty48/kind.ts';
import { typing } from '../typing/kind.ts';
import { wizard } from '../wizard/kind.ts';

/** All kinds, in the order that resolves ties. `none` is not among them. */
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
  event,
  wizard,
  form,
  snake,
  tictactoe,
  memory,
  twenty48,
  tracker,
  gantt,
  recipes,
  blog,
  resume,
  breakout,
  typing,
  flashcards,
  invoice,
  converter,
  clocks,
  api,
  pythonApi,
  rename,
  cli,
  chat,
  drawing,
  drums,
  player,
  page,
];
