import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES } from '../../../cli/keys.ts';
import type { CloudWatch } from '../../../local/cloud/cloudwatch/cloudwatch.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { stopExecution } from '../../support/cloud/executions.ts';
import { type Edit, NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { page } from '../../support/gate/sample.ts';
import { issueKey } from '../../support/paid-stage.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { startVendor, type Vendor } from '../../support/vendors/index.ts';

const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';

/** The periods of all alarms, in seconds. */
const PERIOD = 3;

/** How many requests a client sends at once. */
const FLOOD = 20;

/** What must be downloaded for an alarm, in bytes. */
const DOWNLOADED = 1_000_000;

const HASHED = 'assets/index-BkC3x9aZ.js';
const KIT = page('PayPal: log in', '<form action="https://a.example/"><input type="password" name="p"></form>');

/** Reports whether an alarm has been on. @param id the construct id of the alarm, as a regular expression */
function hasFired({ changes }: CloudWatch, id: string): boolean {
  const isOf = new RegExp(`^(Monitoring(Page|Ticket)?)?${id}[0-9A-F]{8}$`);
  return changes.some(({ alarm, state }) => isOf.test(alarm) && state === 'ALARM');
}

/** Waits until an alarm and the one that notifies about it have been on. */
async function fired(cloudWatch: CloudWatch, alarm: string, notifies = alarm): Promise<void> {
  const missing = () => [alarm, notifies].filter((id) => !hasFired(cloudWatch, id));
  // Less than the time of a test, to say which is missing.
  for (let i = 0; i < 500 && missing().length > 0; i++) await sleep(200);
  expect(missing()).toEqual([]);
}

/** The smallest maxima of two tables, and a low threshold of downloads. */
const low: Edit = (properties, type, logicalId) => {
  if (/^MonitoringTicketDownloaded[0-9A-F]{8}$/.test(logicalId)) properties.Threshold = DOWNLOADED;
  if (type !== 'AWS::DynamoDB::GlobalTable') return;
  if (logicalId.startsWith('AssetsRecords')) properties.WriteOnDemandThroughputSettings = { MaxWriteRequestUnits: 1 };
  const [replica] = properties.Replicas as [Record<string, unknown>];
  if (logicalId.startsWith('DeploymentsViewsTable'))
    replica.ReadOnDemandThroughputSettings = { MaxReadRequestUnits: 1 };
};

function withVariable(properties: Parameters<Edit>[0], name: string, value: string): void {
  const { Variables } = properties.Environment as { Variables: Record<string, string> };
  Variables[name] = value;
}

/** Sends a request several times at once. */
const flood = (send: () => Promise<unknown>) => Promise.all(Array.from({ length: FLOOD }, send));

describe('a stage whose providers fail', () => {
  let vendor: Vendor;
  let receiver: Receiver;
  let variant: Variant;
  let post: ReturnType<typeof newCaller>['post'];
  let authorization: string;

  beforeAll(async () => {
    vendor = await startVendor('openai-compatible', [
      { text: '<file path="index.html">\n<title>Paid</title>\n</file>\n<done/>\n' },
      {
        finish: 'complete',
        usage: { input: 4_000, cachedInput: 0, cacheWrite: 0, output: 980, reasoning: 0 },
      },
    ]);
    receiver = await startReceiver(() => 500);
    const paid = { kind: 'openai-compatible', baseUrl: vendor.baseUrl, model: 'm', maxOutputTokens: 1_000 };
    const variables = {
      ...NO_RATE_LIMIT,
      PROVIDERS: {
        'provider-a': paid,
        'provider-b': { kind: 'scripted', script: 'hang' },
        'provider-c': { kind: 'scripted', script: 'fail' },
      },
      PRICES: { m: { input: 1, output: 100 } },
      BUDGETS: { service: { usd: 0.12 } },
      // The state machine has the first: reached before the second, it would say nothing of the provider.
      DEADLINES: { providerTimeoutSeconds: 30, firstTokenSeconds: 2, stallSeconds: 5 },
      WEBHOOK_RETRY_SECONDS: [],
      INVALIDATIONS_PER_MONTH: 1,
    };
    variant = await startVariant(variables, { alarmSeconds: PERIOD }, low);
    post = newCaller(variant.baseUrl).post;
    authorization = `Bearer ${await issueKey(variant.stateDir, '--scopes', SCOPES.join())}`;
  });
  afterAll(async () => {
    await variant?.close();
    receiver?.close();
    await vendor?.close();
  });

  const generate = (model: string, more: object = {}, headers: Record<string, string> = {}) =>
    post(GENERATE, { prompt: 'a page', model, ...more }, headers);

  it('notifies about a budget that is nearly spent', async () => {
    expect((await generate('provider-a')).status).toBe(200);
    await fired(variant.cloudWatch, 'BudgetSpent');
  });

  it('notifies about a provider that cools down repeatedly, and about failing generations', async () => {
    // On a busy machine, a round takes longer than a period.
    const all = () => ['ProviderCoolingProviderB', 'FailedGenerations'].every((id) => hasFired(variant.cloudWatch, id));
    for (let round = 0; round < 5 && !all(); round++)
      await Promise.all(Array.from({ length: 10 }, () => generate('provider-b')));
    await fired(variant.cloudWatch, 'ProviderCoolingProviderB');
    await fired(variant.cloudWatch, 'FailedGenerations', 'Unhealthy');
  });

  it('notifies about tables whose writes and reads are throttled', async () => {
    const attributes = { name: 'me.png', type: 'image/png', size: 100 };
    await flood(() => post('/api/v1/assets/user-assets/', { attributes }, { authorization }));
    await fired(variant.cloudWatch, 'TablesThrottled2');
    const files = [{ path: 'index.html', content: '<title>Seen</title>' }];
    const { json } = await post(DEPLOY, { files }, { authorization });
    const views = `/api/v1/deployments/${json.id}/views`;
    await flood(() => newCaller(variant.baseUrl).send(views, { headers: { authorization } }));
    await fired(variant.cloudWatch, 'TablesThrottled');
  });

  it('notifies about downloads', async () => {
    const files = [{ path: 'index.html', content: `<title>Large</title>${'x'.repeat(DOWNLOADED / FLOOD)}` }];
    const { json } = await post(DEPLOY, { files }, { authorization });
    await flood(() => newCaller(variant.baseUrl).send(`/d/${json.id}/`));
    await fired(variant.cloudWatch, 'Downloaded');
  });

  it('notifies about an abandoned delivery', async () => {
    await generate('provider-c', { webhook: { url: receiver.url } }, { authorization });
    await fired(variant.cloudWatch, 'Undelivered');
    expect(hasFired(variant.cloudWatch, 'FailedExecutions')).toBe(false);
  });

  it('notifies about held pages and removals from the edge', async () => {
    const files = [{ path: 'index.html', content: KIT }];
    expect((await post(DEPLOY, { files })).status).toBe(201);
    await fired(variant.cloudWatch, 'PagesHeld');
    const hashed = [
      { path: 'index.html', content: `<script src="${HASHED}"></script>` },
      { path: HASHED, content: 'document.body' },
    ];
    const { json, headers } = await post(DEPLOY, { files: hashed });
    const deleted = await newCaller(variant.baseUrl).send(`/api/v1/deployments/${json.id}`, {
      method: 'DELETE',
      headers: { 'x-deployment-token': String(headers['x-deployment-token']) },
    });
    expect(deleted.status).toBe(200);
    await fired(variant.cloudWatch, 'Invalidations');
  });
});

describe('a stage under a flood', () => {
  let variant: Variant;
  const withoutShares: Edit = (properties, type, logicalId) => {
    if (type === 'AWS::Lambda::Function') delete properties.ReservedConcurrentExecutions;
    // A release with functions that fail to start, and one that catches its exceptions.
    if (/^(DeploymentsApi|GenerationSettle)[0-9A-F]{8}$/.test(logicalId)) properties.Handler = 'missing.handler';
    if (/^DeploymentsSite[0-9A-F]{8}$/.test(logicalId)) withVariable(properties, 'DEPLOYMENTS_TABLE', 'missing');
  };
  beforeAll(async () => {
    const PROVIDERS = { 'provider-d': { kind: 'scripted', script: 'answer', delayMs: 3_000 } };
    variant = await startVariant(
      { PROVIDERS },
      { alarmSeconds: PERIOD, eventRetrySeconds: 0.1, concurrentExecutions: 10 },
      withoutShares,
    );
  });
  afterAll(() => variant?.close());

  it('rolls back a new version that fails to start', async () => {
    const { send } = newCaller(variant.baseUrl);
    for (let i = 0; i < 4; i++) expect((await send('/api/v1/deployments/hpofctv62tkj')).status).toBe(503);
    await fired(variant.cloudWatch, 'DeploymentsApiLiveNewVersionErrors');
  });

  it('rolls back a new version that responds with 5xx to requests', async () => {
    const { send } = newCaller(variant.baseUrl);
    for (let i = 0; i < 4; i++) expect((await send('/d/hpofctv62tkj/')).status).toBe(503);
    await fired(variant.cloudWatch, 'DeploymentsSiteLiveNewVersionErrors');
  });

  it('notifies about the event of a stopped execution that no function handles', async () => {
    const body = { prompt: 'a page', model: 'provider-d' };
    const headers = { prefer: 'respond-async' };
    const accepted = await newCaller(variant.baseUrl).post(GENERATE, body, headers);
    await stopExecution(variant.stateDir, String(accepted.headers['x-generation-id']));
    await fired(variant.cloudWatch, 'LostEvents', 'Unhealthy');
  });

  it('notifies about a flood from one address', async () => {
    const { post } = newCaller(variant.baseUrl);
    for (let i = 0; i < 8; i++) await Promise.all(Array.from({ length: 5 }, () => post(GENERATE, {})));
    await fired(variant.cloudWatch, 'Limited');
  });

  it('notifies about used-up concurrency, throttled functions and the resulting errors', async () => {
    const until = Date.now() + 4 * PERIOD * 1_000;
    const body = { prompt: 'a page', model: 'provider-d' };
    while (Date.now() < until) {
      const floods = Array.from({ length: 14 }, () => newCaller(variant.baseUrl).post(GENERATE, body));
      await Promise.race([Promise.all(floods), sleep(1_000)]);
    }
    await fired(variant.cloudWatch, 'Concurrency', 'Unhealthy');
    await fired(variant.cloudWatch, 'Throttled2?', 'Unhealthy');
    await fired(variant.cloudWatch, 'ServerErrors', 'Unhealthy');
  });
});
