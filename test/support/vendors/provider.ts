import type { Prices } from '../../../lambda/contract/prices.ts';
import { providerConfig } from '../../../lambda/contract/providers.ts';
import { createProvider } from '../../../lambda/generation/providers/index.ts';
import type { FailureKind, ProviderEvent } from '../../../lambda/generation/providers/provider.ts';
import type { ReadSecret } from '../../../lambda/platform/secrets.ts';
import { REQUEST } from '../attempt-request.ts';
import { type Script, startVendor, type Vendor, type VendorKind } from './index.ts';
import type { Limits } from './script.ts';

/** The value of the secret `VENDOR_KEY`, and of Bedrock's secret access key. */
export const KEY = 'key-0123456789-abcdefgh';

const vendors: Vendor[] = [];

/** Registers the hooks of a test file that calls `connect`: credentials for Bedrock, and the end of each test's vendors. */
export function useVendors() {
  beforeAll(() => {
    process.env.AWS_REGION = 'eu-central-1';
    process.env.AWS_ACCESS_KEY_ID = 'AKIDEXAMPLE';
    process.env.AWS_SECRET_ACCESS_KEY = KEY;
  });

  afterEach(async () => {
    for (const vendor of vendors.splice(0)) await vendor.close();
  });
}

/**
 * Starts a vendor that follows the script, until the end of the test. @returns it with a provider that calls it
 * @param more overrides fields of the provider's configuration
 * @param limits what the vendor refuses
 */
export async function connect(
  kind: VendorKind,
  script: Script,
  more: Readonly<Record<string, unknown>> = {},
  secret: ReadSecret = async () => KEY,
  limits: Limits = {},
  prices: Prices = {},
) {
  const vendor = await startVendor(kind, script, {}, limits);
  vendors.push(vendor);
  const apiKey = kind === 'bedrock' ? {} : { apiKey: 'VENDOR_KEY' };
  const config = providerConfig.parse({
    kind,
    model: 'a-model',
    baseUrl: vendor.baseUrl,
    ...apiKey,
    ...more,
  });
  const provider = createProvider(config, { secret, prices, clock: Date.now });
  const write = (signal = new AbortController().signal) => provider.write(REQUEST, signal)[Symbol.asyncIterator]();
  return { vendor, provider, write };
}

/** Returns the events until the end or a failure. Adjacent pieces of text are joined, and adjacent activities are one. */
export async function collect(written: AsyncIterator<ProviderEvent>) {
  const events: ProviderEvent[] = [];
  try {
    for (let next = await written.next(); !next.done; next = await written.next()) {
      const last = events.at(-1);
      if (next.value.type === 'text' && last?.type === 'text')
        events.splice(-1, 1, { type: 'text', text: last.text + next.value.text });
      else if (next.value.type !== 'activity' || last?.type !== 'activity') events.push(next.value);
    }
    return { events, failure: undefined };
  } catch (failure) {
    return { events, failure };
  }
}

/** Returns the outcome of one call to a vendor that follows the script, and the number of its requests. */
export async function outcomeOf(kind: VendorKind, script: Script) {
  const { vendor, write } = await connect(kind, script);
  const { events, failure } = await collect(write());
  return { events, failure, requests: vendor.requests.length };
}

/** Matches a ProviderFailure by its kind, a part of its message, and its seconds to wait. @param isRejected by default, either */
export const failing = (
  kind: FailureKind,
  message: string | RegExp,
  retryAfterSeconds?: number,
  isRejected: boolean = expect.any(Boolean) as never,
) =>
  expect.objectContaining({
    name: 'ProviderFailure',
    kind,
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    retryAfterSeconds,
    isRejected,
  });
/** Matches a failure of a call that costs nothing, because the provider did not begin to answer, or never got it. */
export const rejecting = (kind: FailureKind, message: string | RegExp, retryAfterSeconds?: number) =>
  failing(kind, message, retryAfterSeconds, true);

/** Returns the texts of a request to any vendor. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && (name === 'text' || name === 'content') ? [inner] : textsOf(inner),
  );
}
