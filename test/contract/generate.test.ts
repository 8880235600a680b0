import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateResponse, GenerationResource } from '../../lambda/contract/responses/generate.ts';
import { newCaller } from '../support/cloud/client.ts';
import { check, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import type { SmokeResponse } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import type { Session } from '../support/stage/session.ts';

const GENERATE = '/api/v1/generate';

const PROMPT = { prompt: 'A page that says hello' };

/** Longer than all providers may take together. */
const SECONDS = 900;

const LOGS =
  'The log groups *-GenerationApiLogs* and *-GenerationAttemptLogs*, and the executions of the state machine in the ' +
  'Step Functions console';

onStage({
  name: 'generate',
  title: 'A generation returns a project to a caller that waits',
  means: 'No provider responds, or the state machine or its functions do not run.',
  lookAt: `${LOGS}. With a model: its secret and quota, and on Bedrock the access to the model.`,
  run: async (session) => {
    const first = await session.api('POST', GENERATE, { json: PROMPT, seconds: SECONDS });
    return describeProject(await session.follow(first, { seconds: SECONDS }));
  },
});

onStage({
  name: 'generate-async',
  title: 'A generation with Prefer: respond-async can be polled, and has a picture of its page',
  means:
    'The Location is wrong, the generation does not end, or its attempt cannot have a browser look at the project.',
  lookAt: `${LOGS}, and *-LooksLookLogs*`,
  run: async (session) => {
    const accepted = await start(session);
    const path = session.pathOf(accepted);
    const deadline = Date.now() + SECONDS * 1_000;
    for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, 2_000)) {
      const state = await session.api('GET', path);
      expectStatus(state, 200);
      const { status, look } = state.json<GenerationResource>();
      if (!['queued', 'running', 'deploying'].includes(status)) {
        await expectLook(session, look);
        break;
      }
      check(Date.now() < deadline, `GET ${path} is still ${status} after ${SECONDS} s`);
      await sleep(delayMs);
    }
    return describeProject(await session.follow(await session.api('GET', `${path}/result`)));
  },
});

/** A stage may look at nothing. */
async function expectLook(session: Session, look: GenerationResource['look']): Promise<void> {
  if (look === undefined || look.state === 'skipped') return;
  check(look.state === 'looked', `The look at the project ${look.state}: ${look.reason}`);
  const picture = await session.api('GET', look.screenshots?.['1280'] ?? '/');
  expectStatus(picture, 200);
  expectHeader(picture, 'Content-Type', 'image/png');
}

/** Without events, a stream sends a comment every 15 s. */
const LONGEST_PAUSE_MS = 25_000;

/** Parts that arrive within this time count as one. */
const TOGETHER_MS = 5;

/** Returns at how many distinct times parts of a stream arrived, and the longest pause between two parts. */
function paceOf({ arrivals }: SmokeResponse): { readonly moments: number; readonly longestMs: number } {
  const pauses = arrivals.slice(1).map((ms, n) => ms - (arrivals[n] ?? 0));
  const moments = 1 + pauses.filter((ms) => ms > TOGETHER_MS).length;
  return { moments, longestMs: Math.round(Math.max(0, ...pauses)) };
}

onStage({
  name: 'generate-events',
  title: 'Events arrive while the generation runs',
  means:
    'API Gateway or CloudFront collects the event stream, or the function ends before it sends one: an empty 200 of ' +
    'the type application/octet-stream is a stream without a beginning.',
  lookAt:
    'API Gateway > Resources > /api/v1/generate > ANY > Integration request: response transfer mode STREAM. ' +
    'The log group *-GenerationApiLogs*',
  run: async (session) => {
    const headers = { accept: 'text/event-stream' };
    const stream = await session.api('POST', GENERATE, { json: PROMPT, headers, seconds: SECONDS });
    expectStatus(stream, 200);
    expectHeader(stream, 'Content-Type', /^text\/event-stream/);
    const events = stream.text.split('\n\n').filter((event) => event.includes('event: '));
    const last = events.at(-1) ?? '';
    check(events.length > 2, `The stream of ${stream.bytes.length} bytes has ${events.length} events`);
    check(/^event: done$/m.test(last), `The stream ends with ${last.slice(0, 200)}`);
    const { duration } = JSON.parse(/^data: (.*)$/m.exec(last)?.[1] ?? '{}') as GenerateResponse;
    const spreadMs = Math.round(stream.ms - stream.firstByteMs);
    check(
      spreadMs > duration / 10,
      `All events arrived within ${spreadMs} ms, at the end of a generation of ${duration} ms`,
    );
    await expectNoMoreEvents(session, stream, last);
    const { moments, longestMs } = paceOf(stream);
    // A generation of a few seconds has few of them.
    check(
      moments >= Math.max(2, duration / 10_000),
      `The ${events.length} events of a generation of ${duration} ms arrived at only ${moments} times`,
    );
    check(longestMs < LONGEST_PAUSE_MS, `Nothing arrived for ${longestMs} ms, not even a comment`);
    return `${events.length} events in ${spreadMs} ms, at ${moments} times, at most ${longestMs} ms apart`;
  },
});

/** After the last event comes JSON, which tells a client to stop. An empty stream would be neither. */
async function expectNoMoreEvents(session: Session, { headers }: SmokeResponse, last: string): Promise<void> {
  const path = `/api/v1/generations/${headers['x-generation-id']}`;
  const lastEventId = /^id: (\d+)$/m.exec(last)?.[1] ?? '';
  const rest = await session.api('GET', path, {
    headers: { accept: 'text/event-stream', 'last-event-id': lastEventId },
  });
  expectStatus(rest, 200);
  expectHeader(rest, 'Content-Type', 'application/json');
}

onStage({
  name: 'generate-deploy',
  title: 'A generation with deploy responds with a page that is live',
  means:
    'The deploy fails, or its function cannot load pages through the base URL: DNS records are missing, for example.',
  lookAt: 'The log group *-DeploymentsGeneratedLogs*, and the states Deploy and SettleDeploy of the state machine',
  run: async (session) => {
    const json = { ...PROMPT, deploy: true };
    const first = await session.api('POST', GENERATE, { json, seconds: SECONDS });
    const response = await session.follow(first, { seconds: SECONDS });
    expectStatus(response, 200);
    const { deployment, deploymentError } = response.json<GenerateResponse>();
    const token = response.headers['x-deployment-token'];
    const headers: Record<string, string> = token === undefined ? {} : { 'x-deployment-token': String(token) };
    if (deployment) session.cleanUp(() => session.api('DELETE', `/api/v1/deployments/${deployment.id}`, { headers }));
    check(deployment !== undefined, `The deploy failed with ${deploymentError?.status}: ${deploymentError?.error}`);
    const { href, origin } = session.options.baseUrl;
    check(deployment.url.startsWith(href), `The URL of the deployment is ${deployment.url}, not under ${origin}`);
    return deployment.url;
  },
});

/** Larger than what a model writes in two minutes. */
const LARGE = {
  prompt:
    'A personal finance dashboard: import a CSV of bank transactions, rules that assign categories, monthly charts, budgets per category, export as CSV',
};

onStage({
  name: 'generate-large',
  title: 'A project that takes longer than one call of a provider is complete',
  means:
    'The provider limits calls at the same time, its model does not keep to the format of plans and continuations, or it is too slow.',
  lookAt: `${LOGS}. GET /api/v1/generations/{id} has the outcome of each attempt; "parallel" of the provider limits those at a time.`,
  run: async (session) => {
    const first = await session.api('POST', GENERATE, { json: LARGE, seconds: SECONDS });
    const response = await session.follow(first, { seconds: SECONDS });
    expectStatus(response, 200);
    const path = `/api/v1/generations/${response.headers['x-generation-id']}`;
    const { status, attempts, problems = [] } = (await session.api('GET', path)).json<GenerationResource>();
    check(status === 'succeeded', `The generation is ${status}: ${problems.join('; ')}`);
    const { duration } = response.json<GenerateResponse>();
    const seconds = Math.round(duration / 1_000);
    return `${attempts.length} attempts, at most ${mostAtOnce(attempts)} at a time, in ${seconds} s`;
  },
});

function mostAtOnce(attempts: GenerationResource['attempts']): number {
  const running = attempts.map(
    ({ startedAt }) =>
      attempts.filter((other) => other.startedAt <= startedAt && other.startedAt + (other.ms ?? 0) > startedAt).length,
  );
  return Math.max(1, ...running);
}

onStage({
  name: 'cancel',
  title: 'A running generation can be canceled',
  means: 'The generation cannot be changed while it runs.',
  lookAt: LOGS,
  run: async (session) => {
    const accepted = await start(session);
    const canceled = await session.api('DELETE', session.pathOf(accepted));
    if (canceled.status === 409) throw new SkippedError('the generation ended before the request to cancel it');
    expectStatus(canceled, 200);
    const { status } = canceled.json<GenerationResource>();
    check(status === 'canceled', `The generation is ${status} after it was canceled`);
  },
});

async function start(session: Session): Promise<SmokeResponse> {
  const headers = { prefer: 'respond-async' };
  const accepted = await session.api('POST', GENERATE, { json: PROMPT, headers });
  expectStatus(accepted, 202);
  return accepted;
}

function describeProject(response: SmokeResponse): string {
  expectStatus(response, 200);
  const { files, model } = response.json<GenerateResponse>();
  check(files.length > 0, `${response.request} returned no files`);
  return `${model}, ${files.length} files`;
}

/** How long the API holds a request for a result, and the margin for the network. */
const HOLD_MS = 110_000;

const MARGIN_MS = 10_000;

onStage({
  name: 'wait',
  title: `A request waits ${HOLD_MS / 1_000} s for the result of a generation, and is then redirected to ask again`,
  means: 'CloudFront or API Gateway ends waiting requests with a 504: clients that wait for a project get an error.',
  lookAt:
    'CloudFront > Distributions > Origins: the response timeout of the API, 120 s. API Gateway > Resources > ' +
    '/api/v1/generations/{proxy+} > ANY > Integration request: the timeout, and response transfer mode STREAM',
  run: async (session) => {
    if (!session.options.slow) throw new SkippedError('it waits for two minutes: pass --slow');
    const accepted = await session.api('POST', '/api/v1/generate', {
      json: LARGE,
      headers: { prefer: 'respond-async' },
    });
    expectStatus(accepted, 202);
    const path = session.pathOf(accepted);
    session.cleanUp(() => session.api('DELETE', path));
    const result = await session.api('GET', `${path}/result`, { seconds: 150 });
    // The project if it is done in time, otherwise a 303 to the same URL.
    expectStatus(result, 200, 303);
    const seconds = Math.round(result.ms / 1_000);
    if (result.status === 200) return skipQuick(result.json<GenerateResponse>(), seconds);
    check(Math.abs(result.ms - HOLD_MS) < MARGIN_MS, `${result.request} was a 303 after ${seconds} s`);
    check(session.pathOf(result) === `${path}/result`, `${result.request} redirects to ${result.headers.location}`);
    await expectRunning(session, path);
    return `${seconds} s`;
  },
});

/** @throws SkippedError, since the request did not have to wait long enough */
function skipQuick({ model }: GenerateResponse, seconds: number): never {
  throw new SkippedError(
    `${model} needed ${seconds} s: this step needs a generation of more than ${HOLD_MS / 1_000} s`,
  );
}

async function expectRunning(session: Session, path: string): Promise<void> {
  const { status } = (await session.api('GET', path)).json<GenerationResource>();
  check(status !== 'failed', `The generation is ${status}`);
}

const FIELDS = ['duration', 'fileCount', 'files', 'model', 'prompt', 'tokensUsed'];

describe('POST /api/v1/generate', () => {
  it('returns a project with exactly the fields of the contract', async () => {
    const prompt = 'a pomodoro timer with a dark theme';
    const { status, headers, json } = await newCaller().post('/api/v1/generate', { prompt });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(json).toSorted()).toEqual(FIELDS);
    expect(json).toMatchObject({ model: 'provider-a/blueprint', prompt, fileCount: json.files.length });
    expect(json.files.length).toBeGreaterThan(2);
    for (const file of json.files) {
      expect(Object.keys(file).toSorted()).toEqual(['content', 'language', 'path']);
    }
    const paths = json.files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['index.html', 'README.md']));
    const characters = json.files.reduce(
      (sum: number, { content }: { content: string }) => sum + [...content].length,
      prompt.length,
    );
    expect(json.tokensUsed).toBe(Math.ceil(characters / 4));
    expect(json.duration).toBeGreaterThan(0);
  });

  it('preserves every character and returns 200 of the prompt', async () => {
    const prompt = `a landing page called "Zażółć 🍅 Gęślą" ${'🍅'.repeat(300)}`;
    const { json, text } = await newCaller().post('/api/v1/generate', { prompt });
    expect([...json.prompt].length).toBe(200);
    expect(text).not.toContain('\ufffd');
    expect(text).toContain('Zażółć 🍅 Gęślą');
  });

  it('calls the requested provider first and names the one that succeeded', async () => {
    const caller = newCaller();
    const [late, failed] = await Promise.all(
      ['provider-d', 'provider-c'].map((model) => caller.post('/api/v1/generate', { prompt: 'a quiz', model })),
    );
    expect(late?.json.model).toBe('provider-d/scripted');
    expect(late?.json.duration).toBeGreaterThanOrEqual(400);
    expect(failed?.json.model).toBe('provider-a/blueprint');

    const generation = await caller.send(`/api/v1/generations/${failed?.headers['x-generation-id']}`);
    expect(generation.status).toBe(200);
    expect(generation.json).toMatchObject({
      status: 'succeeded',
      model: 'provider-c',
      attempts: [
        { provider: 'provider-c', outcome: 'failed', reason: expect.any(String) },
        { provider: 'provider-a', outcome: 'succeeded' },
      ],
    });
  });

  it('returns the result again by its id', async () => {
    const caller = newCaller();
    const first = await caller.post('/api/v1/generate', { prompt: 'a calculator' });
    const again = await caller.send(`/api/v1/generations/${first.headers['x-generation-id']}/result`);
    expect(again.status).toBe(200);
    expect(again.json).toEqual(first.json);
    for (const path of ['/api/v1/generations/unknown', '/api/v1/generations/unknown/result']) {
      expect(await caller.send(path)).toMatchObject({
        status: 404,
        json: { error: expect.stringContaining('no such generation') },
      });
    }
  });
});
