import { render } from 'preact';
import type { ConsoleData } from './data.ts';
import { keepBuilt } from './effects/build.ts';
import { Context } from './effects/context.ts';
import { keepGallery } from './effects/gallery.ts';
import { keepLooking } from './effects/looks.ts';
import { followUrl } from './effects/route.ts';
import { keepFocus } from './keep-focus.ts';
import { Store } from './state/store.ts';
import { App } from './views/app.tsx';

const find = (id: string) => document.getElementById(id) as HTMLElement;

const data = JSON.parse(find('data').textContent) as ConsoleData;
const context = new Context(new Store());
if (data.isolated) keepGallery(context.store);
keepBuilt(context);
keepLooking(context);
followUrl(context);
keepFocus(find('app'));
render(<App context={context} data={data} />, find('app'));
