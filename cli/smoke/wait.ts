import type { GenerateResponse, GenerationResource } from '../../lambda/contract/responses/generate.ts';
import { check, expectStatus, SkippedError } from './checks.ts';
import { LARGE } from './generate.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

/** How long the API holds a request for a result, and the margin for the network. */
const HOLD_MS = 110_000;
const MARGIN_MS = 10_000;

const wait: Step = {
  name: 'wait',
  title: `A request waits ${HOLD_MS / 1_000} s for the result of a generation, and is then redirected to ask again`,
  means:
    'CloudFront or API Gateway ends waiting requests with a 504: clients that wait for a project get an error.',
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
    if (result.status === 200) return describe(result.json<GenerateResponse>(), seconds);
    check(Math.abs(result.ms - HOLD_MS) < MARGIN_MS, `${result.request} was a 303 after ${seconds} s`);
    check(
      session.pathOf(result) === `${path}/result`,
      `${result.request} redirects to ${result.headers.location}`,
    );
    await expectRunning(session, path);
    return `${seconds} s`;
  },
};

/** @throws SkippedError, since the request did not have to wait long enough */
function describe({ model }: GenerateResponse, seconds: number): never {
  throw new SkippedError(
    `${model} needed ${seconds} s: this step needs a generation of more than ${HOLD_MS / 1_000} s`,
  );
}

async function expectRunning(session: Session, path: string): Promise<void> {
  const { status } = (await session.api('GET', path)).json<GenerationResource>();
  check(status !== 'failed', `The generation is ${status}`);
}

export const WAIT_STEPS = [wait];
