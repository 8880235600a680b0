import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateResponse, GenerationResource } from '../../lambda/contract/responses/generate.ts';
import { check, expectHeader, expectStatus, SkippedError } from './checks.ts';
import type { SmokeResponse } from './http.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

const GENERATE = '/api/v1/generate';
const PROMPT = { prompt: 'A page that says hello' };
/** Longer than all providers may take together. */
const SECONDS = 900;
const LOGS =
  'The log groups *-GenerationApiLogs* and *-GenerationAttemptLogs*, and the executions of the state machine in the ' +
  'Step Functions console';

const generate: Step = {
  name: 'generate',
  title: 'A generation returns a project to a caller that waits',
  means: 'No provider responds, or the state machine or its functions do not run.',
  lookAt: `${LOGS}. With a model: its secret and quota, and on Bedrock the access to the model.`,
  run: async (session) => {
    const first = await session.api('POST', GENERATE, { json: PROMPT, seconds: SECONDS });
    return describe(await session.follow(first, { seconds: SECONDS }));
  },
};

const generateAsync: Step = {
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
    return describe(await session.follow(await session.api('GET', `${path}/result`)));
  },
};

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

const generateEvents: Step = {
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
};

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

const generateDeploy: Step = {
  name: 'generate-deploy',
  title: 'A generation with deploy responds with a page that is live',
  means:
    'The deploy fails, or its function cannot load pages through the base URL: DNS records are missing, for example.',
  lookAt:
    'The log group *-DeploymentsGeneratedLogs*, and the states Deploy and SettleDeploy of the state machine',
  run: async (session) => {
    const json = { ...PROMPT, deploy: true };
    const first = await session.api('POST', GENERATE, { json, seconds: SECONDS });
    const response = await session.follow(first, { seconds: SECONDS });
    expectStatus(response, 200);
    const { deployment, deploymentError } = response.json<GenerateResponse>();
    const token = response.headers['x-deployment-token'];
    const headers: Record<string, string> =
      token === undefined ? {} : { 'x-deployment-token': String(token) };
    if (deployment)
      session.cleanUp(() => session.api('DELETE', `/api/v1/deployments/${deployment.id}`, { headers }));
    check(
      deployment !== undefined,
      `The deploy failed with ${deploymentError?.status}: ${deploymentError?.error}`,
    );
    const { href, origin } = session.options.baseUrl;
    check(
      deployment.url.startsWith(href),
      `The URL of the deployment is ${deployment.url}, not under ${origin}`,
    );
    return deployment.url;
  },
};

/** Larger than what a model writes in two minutes. */
export const LARGE = {
  prompt:
    'A personal finance dashboard: import a CSV of bank transactions, rules that assign categories, monthly charts, budgets per category, export as CSV',
};

const generateLarge: Step = {
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
};

function mostAtOnce(attempts: GenerationResource['attempts']): number {
  const running = attempts.map(
    ({ startedAt }) =>
      attempts.filter(
        (other) => other.startedAt <= startedAt && other.startedAt + (other.ms ?? 0) > startedAt,
      ).length,
  );
  return Math.max(1, ...running);
}

const cancel: Step = {
  name: 'cancel',
  title: 'A running generation can be canceled',
  means: 'The generation cannot be changed while it runs.',
  lookAt: LOGS,
  run: async (session) => {
    const accepted = await start(session);
    const canceled = await session.api('DELETE', session.pathOf(accepted));
    if (canceled.status === 409)
      throw new SkippedError('the generation ended before the request to cancel it');
    expectStatus(canceled, 200);
    const { status } = canceled.json<GenerationResource>();
    check(status === 'canceled', `The generation is ${status} after it was canceled`);
  },
};

export const GENERATE_STEPS = [
  generate,
  generateAsync,
  generateEvents,
  generateLarge,
  generateDeploy,
  cancel,
];

async function start(session: Session): Promise<SmokeResponse> {
  const headers = { prefer: 'respond-async' };
  const accepted = await session.api('POST', GENERATE, { json: PROMPT, headers });
  expectStatus(accepted, 202);
  return accepted;
}

function describe(response: SmokeResponse): string {
  expectStatus(response, 200);
  const { files, model } = response.json<GenerateResponse>();
  check(files.length > 0, `${response.request} returned no files`);
  return `${model}, ${files.length} files`;
}
