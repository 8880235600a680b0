import { api, pythonApi } from '../kinds/api/kind.ts';
import { blog } from '../kinds/blog/kind.ts';
import { breakout } from '../kinds/breakout/kind.ts';
import { calculator } from '../kinds/calculator/kind.ts';
import { chat } from '../kinds/chat/kind.ts';
import { cli } from '../kinds/cli/kind.ts';
import { clocks } from '../kinds/clocks/kind.ts';
import { converter } from '../kinds/converter/kind.ts';
import { dashboard } from '../kinds/dashboard/kind.ts';
import { drawing } from '../kinds/drawing/kind.ts';
import { drums } from '../kinds/drums/kind.ts';
import { event } from '../kinds/event/kind.ts';
import { flashcards } from '../kinds/flashcards/kind.ts';
import { form } from '../kinds/form/kind.ts';
import { gantt } from '../kinds/gantt/kind.ts';
import { guestbook } from '../kinds/guestbook/kind.ts';
import { invoice } from '../kinds/invoice/kind.ts';
import { kanban } from '../kinds/kanban/kind.ts';
import { landing } from '../kinds/landing/kind.ts';
import { memory } from '../kinds/memory/kind.ts';
import { notes } from '../kinds/notes/kind.ts';
import { page } from '../kinds/page/kind.ts';
import { player } from '../kinds/player/kind.ts';
import { poll } from '../kinds/poll/kind.ts';
import { portfolio } from '../kinds/portfolio/kind.ts';
import { quiz } from '../kinds/quiz/kind.ts';
import { recipes } from '../kinds/recipes/kind.ts';
import { rename } from '../kinds/rename/kind.ts';
import { resume } from '../kinds/resume/kind.ts';
import { snake } from '../kinds/snake/kind.ts';
import { tictactoe } from '../kinds/tictactoe/kind.ts';
import { timer } from '../kinds/timer/kind.ts';
import { todo } from '../kinds/todo/kind.ts';
import { tracker } from '../kinds/tracker/kind.ts';
import { twenty48 } from '../kinds/twenty48/kind.ts';
import { typing } from '../kinds/typing/kind.ts';
import { wizard } from '../kinds/wizard/kind.ts';
import type { Kind } from '../kit/types.ts';

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
  guestbook,
  poll,
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
