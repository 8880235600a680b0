import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import type { DeployedSite, SiteCloud } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { ownOrigins, sharedOrigin } from './clouds.ts';
import { EMPTY_PAGE, TRACES } from './traces.ts';

/** Two deployed sites of different owners, each open in a window of the same browser. */
interface Neighbors {
  readonly context: BrowserContext;
  readonly attacker: Page;
  readonly victim: Page;
  /** The URL of the victim's page, without a trailing slash. */
  readonly victimUrl: string;
  /** How long the attacker waits for what it should see, or should not. */
  readonly patienceMs: number;
}

interface Channel {
  /** What the attacker does to the victim, as a row of SECURITY.md says it. */
  readonly what: string;
  /** Returns whether it does. */
  readonly reaches: (neighbors: Neighbors) => Promise<boolean>;
}

/** A file with a hashed name, which browsers keep. */
const HASHED = 'app-0a1b2c3d.js';

/** More than CloudFront and the local cloud accept in the headers of a request. */
const MANY_COOKIES = `for (let i = 0; i < 40; i++) document.cookie = 'c' + i + '=' + 'x'.repeat(1000) + '; path=/'`;

const NAMES: Readonly<Record<string, string>> = { 'a cookie': 'cookies' };

/** The storage that service workers do not belong to: sites on the shared origin have none. */
const STORAGE = TRACES.filter(([what]) => what !== 'a service worker').map(
  ([what, leave, see]): Channel => ({
    what: `read and change ${NAMES[what] ?? what}`,
    reaches: async ({ attacker, victim }) => {
      await victim.evaluate(leave);
      return (await attacker.evaluate<string[]>(see)).includes('mine');
    },
  }),
);

const hears =
  (listen: string, speak: string) =>
  async ({ attacker, victim, patienceMs }: Neighbors) => {
    await attacker.evaluate(`globalThis.heard = new Promise((hear) => { ${listen} }); 0`);
    await victim.evaluate(speak);
    const silence = `new Promise((over) => setTimeout(over, ${patienceMs}, false))`;
    return attacker.evaluate<boolean>(`Promise.race([heard.then(() => true), ${silence}])`);
  };

/** What the pages of one origin can do to each other. */
const CHANNELS: readonly Channel[] = [
  ...STORAGE,
  {
    what: 'use up the storage quota',
    reaches: async ({ attacker, victim, patienceMs }) => {
      await victim.evaluate(`caches.open('big').then((cache) => cache.put('/big', new Response('x'.repeat(1e6))))`);
      // The browser counts it a moment later.
      return attacker.evaluate<boolean>(`(async () => {
        for (const until = Date.now() + ${patienceMs}; Date.now() < until; )
          if ((await navigator.storage.estimate()).usage > 1e6) return true;
        return false;
      })()`);
    },
  },
  {
    what: 'set so many cookies that requests fail',
    reaches: async ({ attacker, victim }) => {
      await attacker.evaluate(MANY_COOKIES);
      // The browser keeps them a moment later.
      await attacker.waitForFunction(`document.cookie.split('; ').length >= 40`);
      const response = await victim.reload().catch(() => null);
      return response?.status() !== 200;
    },
  },
  {
    what: 'use the permissions that a visitor gave, such as for the location',
    reaches: async ({ context, attacker, victim }) => {
      await context.grantPermissions(['geolocation'], { origin: new URL(victim.url()).origin });
      const query = `navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`;
      return (await attacker.evaluate<string>(query)) === 'granted';
    },
  },
  {
    what: 'read and change the document, in a frame or a window',
    reaches: async ({ attacker, victimUrl }) => {
      const framed = `new Promise((loaded) => {
        const frame = Object.assign(document.createElement('iframe'), { src: '${victimUrl}/' });
        frame.onload = () => loaded(frame.contentDocument !== null);
        document.body.append(frame);
      })`;
      return attacker.evaluate<boolean>(framed);
    },
  },
  {
    what: 'read the addresses in the history of the window',
    reaches: async ({ attacker, victimUrl }) => {
      const back = attacker.url();
      await attacker.goto(`${victimUrl}/?private`);
      await attacker.goto(back);
      return attacker.evaluate<boolean>(`navigation.entries().some(({ url }) => url?.includes('private'))`);
    },
  },
  {
    what: 'show its address as that of their own page',
    reaches: ({ attacker, victimUrl }) =>
      attacker.evaluate<boolean>(`(() => {
        try {
          history.pushState(null, '', '${victimUrl}/');
          return location.href === '${victimUrl}/';
        } catch {
          return false;
        }
      })()`),
  },
  {
    what: 'see in the HTTP cache whether a visitor was there',
    reaches: async ({ attacker, victim, victimUrl }) => {
      await victim.evaluate(`fetch('${victimUrl}/${HASHED}').then((response) => response.text())`);
      const cached = `fetch('${victimUrl}/${HASHED}', { cache: 'only-if-cached', mode: 'same-origin' })`;
      return attacker.evaluate<boolean>(`${cached}.then(({ ok }) => ok, () => false)`);
    },
  },
  {
    what: 'listen to messages of a BroadcastChannel',
    reaches: hears(`new BroadcastChannel('app').onmessage = hear`, `new BroadcastChannel('app').postMessage(1)`),
  },
  {
    what: 'hold the locks of navigator.locks',
    reaches: async ({ attacker, victim }) => {
      await victim.evaluate(`new Promise((held) => {
        navigator.locks.request('mine', () => { held(); return new Promise(() => {}); });
      })`);
      return attacker.evaluate<boolean>(
        `navigator.locks.request('mine', { ifAvailable: true }, (lock) => lock === null)`,
      );
    },
  },
];

const DOMAIN = 'sites.localhost';
const FILES = {
  'index.html': `${EMPTY_PAGE}<script src="${HASHED}"></script>`,
  [HASHED]: '',
};

describe.each([
  ['without a siteDomain, a page can', undefined, true],
  ['with a siteDomain, a page cannot', DOMAIN, false],
])('%s', (_, siteDomain, shared) => {
  let cloud: SiteCloud;
  let sites: readonly [DeployedSite, DeployedSite];
  let neighbors: Neighbors;
  beforeAll(async () => {
    cloud = await (siteDomain === undefined ? sharedOrigin() : ownOrigins());
    sites = [await cloud.deploy(FILES), await cloud.deploy(FILES)];
  });
  beforeEach(async () => {
    const context = await browser.newContext();
    const [attackerUrl, victimUrl] = sites.map(({ id, url }) =>
      siteDomain === undefined ? url : `http://${id}.${siteDomain}:${new URL(cloud.baseUrl).port}`,
    ) as [string, string];
    const [attacker, victim] = [await context.newPage(), await context.newPage()];
    await attacker.goto(`${attackerUrl}/`);
    await victim.goto(`${victimUrl}/`);
    neighbors = { context, attacker, victim, victimUrl, patienceMs: shared ? 100_000 : 1_000 };
  });
  afterEach(() => neighbors.context.close());

  it.each(CHANNELS.map(({ what, reaches }) => [what, reaches] as const))('%s of another', async (_, reaches) => {
    expect(await reaches(neighbors)).toBe(shared);
  });
});

it('SECURITY.md lists what one origin cannot isolate', () => {
  const [, section = ''] = readFileSync('SECURITY.md', 'utf8').split('## What one origin cannot isolate');
  const listed = [...(section.split('\n## ')[0]?.matchAll(/^- (.+?)(?: \(.*\))?$/gm) ?? [])].map(([, what]) => what);
  expect(listed).toEqual(CHANNELS.map(({ what }) => what));
});
