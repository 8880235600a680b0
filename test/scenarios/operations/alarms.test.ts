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

/**
 * Waits until alarms have been on.
 * @param act sets them off; it is repeated, since a busy machine may take longer than a period for all of it
 */
async function fired({ cloudWatch }: Variant, alarms: readonly string[], act?: () => Promise<unknown>): Promise<void> {
  const missing = () => alarms.filter((id) => !hasFired(cloudWatch, id));
  // Less than the time of a test, to say which is missing.
  for (const end = performance.now() + 200_000; missing().length > 0 && performance.now() < end; ) {
    await act?.();
    await sleep(200);
  }
  expect(missing()).toEqual([]);
}

/** Request units per second, so few that a table has none left for hours after its first request. */
const UNITS = 1e-6;

/** Maxima of two tables that are used up at once, and a low threshold of downloads. */
const low: Edit = (properties, type, logicalId) => {
  if (/^MonitoringTicketDownloaded[0-9A-F]{8}$/.test(logicalId)) properties.Threshold = DOWNLOADED;
  if (type !== 'AWS::DynamoDB::GlobalTable') return;
  if (logicalId.startsWith('AssetsRecords'))
    properties.WriteOnDemandThroughputSettings = { MaxWriteRequestUnits: UNITS };
  const [replica] = properties.Replicas as [Record<string, unknown>];
  if (logicalId.startsWith('DeploymentsViewsTable'))
    replica.ReadOnDemandThroughputSettings = { MaxReadRequestUnits: UNITS };
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
    vendor = await startVendor('openai-compatible', (_, { body }) =>
      body.model === 'overloaded'
        ? [{ status: 529 }]
        : [
            { text: '<file path="index.html">\n<title>Paid</title>\n</file>\n<done/>\n' },
            {
              finish: 'complete',
              usage: { input: 4_000, cachedInput: 0, cacheWrite: 0, output: 980, reasoning: 0 },
            },
          ],
    );
    receiver = await startReceiver(() => 500);
    const { baseUrl } = vendor;
    const variables = {
      ...NO_RATE_LIMIT,
      PROVIDERS: {
        'provider-a': { kind: 'openai-compatible', baseUrl, model: 'm', maxOutputTokens: 1_000 },
        'provider-b': { kind: 'openai-compatible', baseUrl, model: 'overloaded' },
        'provider-c': { kind: 'scripted', script: 'fail' },
      },
      PRICES: { m: { input: 1, output: 100 } },
      BUDGETS: { service: { usd: 0.12 } },
      WEBHOOK_RETRY_SECONDS: [],
      INVALIDATIONS_PER_MONTH: 1,
    };
    variant = await startVariant(variables, { alarmSeconds: 60 }, low);
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
    await fired(variant, ['BudgetSpent']);
  });

  it('notifies about a provider that cools down repeatedly, and about failing generations', async () => {
    const failing = () => Promise.all(Array.from({ length: 6 }, () => generate('provider-b')));
    await fired(variant, ['ProviderCoolingProviderB', 'FailedGenerations', 'Unhealthy'], failing);
  });

  it('notifies about tables whose writes and reads are throttled', async () => {
    const attributes = { name: 'me.png', type: 'image/png', size: 100 };
    const create = () => post('/api/v1/assets/user-assets/', { attributes }, { authorization });
    await fired(variant, ['TablesThrottled2'], create);
    const files = [{ path: 'index.html', content: '<title>Seen</title>' }];
    const { json } = await post(DEPLOY, { files }, { authorization });
    const views = `/api/v1/deployments/${json.id}/views`;
    const read = () => newCaller(variant.baseUrl).send(views, { headers: { authorization } });
    await fired(variant, ['TablesThrottled'], read);
  });

  it('notifies about downloads', async () => {
    const files = [{ path: 'index.html', content: `<title>Large</title>${'x'.repeat(DOWNLOADED / FLOOD)}` }];
    const { json } = await post(DEPLOY, { files }, { authorization });
    await fired(variant, ['Downloaded'], () => flood(() => newCaller(variant.baseUrl).send(`/d/${json.id}/`)));
  });

  it('notifies about an abandoned delivery', async () => {
    await generate('provider-c', { webhook: { url: receiver.url } }, { authorization });
    await fired(variant, ['Undelivered']);
    expect(hasFired(variant.cloudWatch, 'FailedExecutions')).toBe(false);
  });

  it('notifies about held pages and removals from the edge', async () => {
    const files = [{ path: 'index.html', content: KIT }];
    expect((await post(DEPLOY, { files })).status).toBe(201);
    await fired(variant, ['PagesHeld']);
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
    await fired(variant, ['Invalidations']);
  });
});

describe('a stage under a flood', () => {
  let variant: Variant;
  const edit: Edit = (properties, type, logicalId) => {
    // Instead of several periods, one after the other.
    if (type === 'AWS::CloudWatch::Alarm') properties.DatapointsToAlarm = 1;
    // Nothing has a share of its own.
    if (type === 'AWS::Lambda::Function') delete properties.ReservedConcurrentExecutions;
    // A release with functions that fail to start, and one that catches its exceptions.
    if (/^(DeploymentsApi|GenerationSettle)[0-9A-F]{8}$/.test(logicalId)) properties.Handler = 'missing.handler';
    if (/^DeploymentsSite[0-9A-F]{8}$/.test(logicalId)) withVariable(properties, 'DEPLOYMENTS_TABLE', 'missing');
  };
  beforeAll(async () => {
    const PROVIDERS = {
      'provider-b': { kind: 'scripted', script: 'hang' },
      'provider-d': { kind: 'scripted', script: 'answer', delayMs: 3_000 },
    };
    // Sums of a minute are late for a period.
    const options = { alarmSeconds: 10, eventRetrySeconds: 0.1, concurrentExecutions: 10 };
    variant = await startVariant({ PROVIDERS }, options, edit);
  });
  afterAll(() => variant?.close());

  it('rolls back a new version that fails to start, and one that responds with 5xx', async () => {
    const { send } = newCaller(variant.baseUrl);
    const paths = ['/api/v1/deployments/hpofctv62tkj', '/d/hpofctv62tkj/'];
    const visit = () =>
      Promise.all(paths.flatMap((path) => [send(path), send(path)])).then((responses) => {
        for (const { status } of responses) expect(status).toBe(503);
      });
    const alarms = ['DeploymentsApiLiveNewVersionErrors', 'DeploymentsSiteLiveNewVersionErrors'];
    await fired(variant, alarms, visit);
  });

  it('notifies about the event of a stopped execution that no function handles', async () => {
    const body = { prompt: 'a page', model: 'provider-b' };
    const headers = { prefer: 'respond-async' };
    const accepted = await newCaller(variant.baseUrl).post(GENERATE, body, headers);
    await stopExecution(variant.stateDir, String(accepted.headers['x-generation-id']));
    await fired(variant, ['LostEvents', 'Unhealthy']);
  });

  it('notifies about a flood from one address', async () => {
    const { post } = newCaller(variant.baseUrl);
    await fired(variant, ['Limited'], () => Promise.all(Array.from({ length: 5 }, () => post(GENERATE, {}))));
  });

  it('notifies about used-up concurrency, throttled functions and the resulting errors', async () => {
    const body = { prompt: 'a page', model: 'provider-d' };
    const generate = () => newCaller(variant.baseUrl).post(GENERATE, body);
    const act = () => Promise.race([flood(generate), sleep(1_000)]);
    await fired(variant, ['Concurrency', 'Throttled2?', 'ServerErrors', 'Unhealthy'], act);
  });
});
