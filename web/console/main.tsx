import { render } from 'preact';
import type { ConsoleData } from './data.ts';
import { keepBuilt } from './effects/build.ts';
import { Context } from './effects/context.ts';
import { Hold } from './effects/hold.ts';
import { clearKept, guardEdits, keepGallery, keepProjects } from './effects/keep.ts';
import { keepLooking } from './effects/looks.ts';
import { followUrl } from './effects/route.ts';
import { keepFocus } from './keep-focus.ts';
import { Store } from './state/store.ts';
import { ProjectDatabase } from './storage/project-database.ts';
import { ProjectMemory } from './storage/project-memory.ts';
import { App } from './views/app.tsx';

const find = (id: string) => document.getElementById(id) as HTMLElement;

const data = JSON.parse(find('data').textContent) as ConsoleData;
const { isolated } = data;
const context = new Context(
  new Store(),
  isolated ? new ProjectDatabase() : new ProjectMemory(),
  new Hold(isolated),
);
if (isolated) keepGallery(context);
else clearKept();
keepProjects(context);
guardEdits(context, isolated);
keepBuilt(context);
keepLooking(context);
followUrl(context);
keepFocus(find('app'));
render(<App context={context} data={data} />, find('app'));
