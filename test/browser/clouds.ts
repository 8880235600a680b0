import { startRegistry } from '../support/registry.ts';
import { removeAtEnd, shared } from '../support/shared.ts';
import { type SiteCloud, startSiteCloud } from '../support/site-cloud.ts';
import { type Script, startVendor } from '../support/vendors/index.ts';

const CONFIG = {
  customDomains: true,
  rateLimit: { windowSeconds: 60, anonymous: 100_000, key: 100_000, reads: 100_000, zips: 100_000 },
  // A model that waits for a test is not given up meanwhile.
  generation: { providerTimeoutSeconds: 300, firstTokenSeconds: 300, stallSeconds: 300 },
};

const PRICES = { m: { input: 2, cachedInput: 0.1, output: 10 } };

/** Has the packages that the repository has installed, so that no test needs a network. */
const registry = shared(startRegistry, (started) => started.close());

/** What a file of tests has a model answer, by `answerWith`. */
let script: Script = [];

/** Sets the answers of the models: `provider-d`, and where a browser looks, `provider-b`, which sees pictures. */
export function answerWith(answers: Script): void {
  script = answers;
}
const scripted: Script = (...asked) => (typeof script === 'function' ? script(...asked) : script);

interface Options {
  /** Gives each page an origin of its own. */
  readonly siteDomain?: string;
  /** Has a browser look at what is generated and deployed. */
  readonly look?: boolean;
}

/** Returns a function that starts a service once per worker, with a starter project, slow providers and scripted models. */
const cloud = ({ siteDomain, look = false }: Options) =>
  shared(
    async () => {
      // Jest sets the environment back after each file of tests, and the registry may have been started by an earlier one.
      process.env.PTP_UNPINNED_PACKAGES = 'true';
      const vendor = await startVendor('openai-compatible', scripted);
      const model = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
      const providers = {
        'provider-a': { kind: 'blueprint' },
        'provider-b': look ? { ...model, images: true } : { kind: 'scripted', script: 'answer', delayMs: 4_000 },
        'provider-c': { kind: 'scripted', script: 'hang' },
        'provider-d': model,
      };
      const started = await startSiteCloud(
        siteDomain,
        {
          ...CONFIG,
          ...(!look && { prices: PRICES }),
          providers,
          builds: { registry: (await registry()).url },
          look: { enabled: look },
        },
        // Domains take a moment.
        { updateSeconds: { effect: [0.05, 0.1], completion: [0.1, 0.2] } },
      );
      removeAtEnd(started.stateDir);
      const close = () => started.close().finally(vendor.close);
      return { ...started, close };
    },
    (started) => started.close(),
  );

/** Pages share the origin of the service. */
export const sharedOrigin: () => Promise<SiteCloud> = cloud({});

/** Every page has an origin of its own. */
export const ownOrigins: () => Promise<SiteCloud> = cloud({ siteDomain: 'sites.localhost' });

/** Every page has an origin of its own, and a browser looks at it. */
export const looking: () => Promise<SiteCloud> = cloud({ siteDomain: 'sites.localhost', look: true });
