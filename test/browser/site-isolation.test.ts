import { readFileSync } from 'node:fs';
import type { DeployedSite, SiteCloud } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { ownOrigins, sharedOrigin } from './clouds.ts';
import { CHANNELS, HASHED, type Neighbors } from './isolation.ts';
import { EMPTY_PAGE } from './traces.ts';

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
    neighbors = { context, attacker, victim, victimUrl };
  });
  afterEach(() => neighbors.context.close());

  it.each(CHANNELS.map(({ what, reaches }) => [what, reaches] as const))(
    '%s of another',
    async (_, reaches) => {
      expect(await reaches(neighbors)).toBe(shared);
    },
  );
});

it('SECURITY.md lists what one origin cannot isolate', () => {
  const [, section = ''] = readFileSync('SECURITY.md', 'utf8').split('## What one origin cannot isolate');
  const listed = [...(section.split('\n## ')[0]?.matchAll(/^- (.+?)(?: \(.*\))?$/gm) ?? [])].map(
    ([, what]) => what,
  );
  expect(listed).toEqual(CHANNELS.map(({ what }) => what));
});
