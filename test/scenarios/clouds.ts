import { dirname } from 'node:path';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../support/cloud/variant.ts';
import { SITE_DOMAIN } from '../support/private-pages.ts';
import { removeAtEnd, shared } from '../support/shared.ts';
import { type SiteCloud, startSiteCloud } from '../support/site-cloud.ts';
import { type Script, startVendor, type Vendor } from '../support/vendors/index.ts';

/*
 * Clouds that several files of scenarios use: each worker starts them once. Beside them, there is the suite's own, with the
 * configuration in `test/support/cloud/config.json`. A file that needs another configuration, or breaks its cloud, starts its own.
 */

/** Changes at the edge that take CloudFront minutes take a moment. */
const SOON = { effect: [0.1, 0.3], completion: [0.3, 0.5] } as const;

/** An answer of a model: one page. */
export const A_PAGE: Script = [
  { text: '<file path="index.html">\n<!doctype html>\n<title>A page</title>\n</file>\n<done/>\n' },
  { finish: 'complete' },
];

export interface ModelCloud extends Variant {
  /** Receives what the functions send to the model. */
  readonly vendor: Vendor;
  /** Sets the answers of the model, for one file of tests. */
  answerWith(script: Script): void;
}

/** Has one provider, whose model answers as the file of tests says, and no rate limit. EventBridge delivers each event twice. */
export const oneModel: () => Promise<ModelCloud> = shared(
  async () => {
    let script: Script = A_PAGE as Script;
    const vendor = await startVendor('openai-compatible', (...asked) =>
      typeof script === 'function' ? script(...asked) : script,
    );
    const provider = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
    const variables = { ...NO_RATE_LIMIT, PROVIDERS: { 'provider-a': provider } };
    const running = await startVariant(variables, { invalidationSeconds: SOON, eventDeliveries: 2 });
    removeAtEnd(running.stateDir);
    const answerWith = (next: Script) => {
      script = next;
    };
    return { ...running, vendor, answerWith };
  },
  async ({ close, vendor }) => {
    await close();
    await vendor.close();
  },
);

/** Every page has an origin of its own. Keys, access tokens and custom domains work; no rate limit is reached. */
export const ownOrigins: () => Promise<SiteCloud> = shared(
  async () => {
    const rateLimit = { anonymous: 100_000, key: 100_000, reads: 100_000, zips: 100_000 };
    const config = { oauth: 'cognito', customDomains: true, rateLimit };
    const cloud = await startSiteCloud(SITE_DOMAIN, config, {
      invalidationSeconds: SOON,
      updateSeconds: SOON,
    });
    removeAtEnd(dirname(cloud.stateDir));
    return cloud;
  },
  (cloud) => cloud.close(),
);
