import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewsResponse } from '../../lambda/contract/views.ts';
import { check, expectStatus, SkippedError } from './checks.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

/** As a browser that is not known as a program. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const REFERRER = 'smoke-test.example';

/** The views of a page wait for the next visit that reaches their instance. */
const ROUNDS = 20;
const PAUSE_MS = 500;

const views: Step = {
  name: 'views',
  title: 'A view of a page is counted, with the site that it came from',
  means: 'The site function does not get the headers of visitors, or cannot write to its table.',
  lookAt:
    'CloudFront > Policies > Origin request: *-SitesRequest-* must forward User-Agent and Referer; ' +
    'the log group *-DeploymentsSiteLogs* for "views not written"',
  run: async (session) => {
    const before = await viewsOf(session);
    if (!before.counted) throw new SkippedError(before.reason ?? 'views are not counted');
    const headers = { accept: 'text/html', 'user-agent': BROWSER, referer: `https://${REFERRER}/` };
    expectStatus(await session.visit('', { headers }), 200);
    for (let round = 0; round < ROUNDS; round++) {
      const { totals, referrers } = await viewsOf(session);
      if (totals.views > before.totals.views) {
        const named = referrers.map(({ host }) => host).join(', ');
        check(named.includes(REFERRER), `The view came from ${REFERRER}, not from "${named}"`);
        return undefined;
      }
      check(totals.bots === before.totals.bots, 'The view was counted as one by a program');
      await session.visit('style.css');
      await sleep(PAUSE_MS);
    }
    throw new Error(`The view was not counted within ${(ROUNDS * PAUSE_MS) / 1_000} s`);
  },
};

async function viewsOf(session: Session): Promise<ViewsResponse> {
  const { id } = await session.site();
  const response = await session.api('GET', `/api/v1/deployments/${id}/views`, {
    headers: session.ownership,
  });
  expectStatus(response, 200);
  return response.json<ViewsResponse>();
}

export const VIEW_STEPS = [views];
