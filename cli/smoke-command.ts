import { type CommandIo, main as command, EXIT_CODES_OF_OPERATORS, UsageError } from '../terminal/program.ts';
import { ACCOUNT_STEPS } from './smoke/account.ts';
import { AGENT_STEPS } from './smoke/agents.ts';
import { API_STEPS } from './smoke/api.ts';
import { BUILD_STEPS } from './smoke/build.ts';
import { SkippedError } from './smoke/checks.ts';
import { CREDENTIAL_STEPS } from './smoke/credentials.ts';
import { DEPLOY_STEPS } from './smoke/deploy.ts';
import { domain } from './smoke/domain.ts';
import { GENERATE_STEPS } from './smoke/generate.ts';
import { ISSUER_STEPS } from './smoke/issuer.ts';
import { KEEP_STEPS } from './smoke/keep.ts';
import { LOOK_STEPS } from './smoke/look.ts';
import { MANAGE_STEPS } from './smoke/manage.ts';
import { PATH_STEPS } from './smoke/paths.ts';
import { privatePage } from './smoke/private.ts';
import { jsonReport, printOutcome, printSummary, type StepOutcome } from './smoke/report.ts';
import { REPORT_STEPS } from './smoke/report-page.ts';
import { ROLLOUT_STEPS } from './smoke/rollout.ts';
import { Session } from './smoke/session.ts';
import type { Step } from './smoke/step.ts';
import { VIEW_STEPS } from './smoke/views.ts';
import { VISIT_STEPS } from './smoke/visit.ts';
import { WAIT_STEPS } from './smoke/wait.ts';
import { readStack } from './smoke-stack.ts';

/** In this order: `delete` deletes the deployment that the steps before it share. */
export const STEPS: readonly Step[] = [
  ...API_STEPS,
  ...ACCOUNT_STEPS,
  ...CREDENTIAL_STEPS,
  ...ISSUER_STEPS,
  ...GENERATE_STEPS,
  ...WAIT_STEPS,
  ...DEPLOY_STEPS,
  ...BUILD_STEPS,
  ...LOOK_STEPS,
  ...VISIT_STEPS,
  ...PATH_STEPS,
  ...VIEW_STEPS,
  ...REPORT_STEPS,
  privatePage,
  ...MANAGE_STEPS,
  ...AGENT_STEPS,
  ...KEEP_STEPS,
  ...ROLLOUT_STEPS,
  domain,
];

const NAMES = STEPS.map(({ name }) => name).join(', ');

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly token?: string;
  readonly domain?: string;
  readonly stack?: string;
  readonly only?: string;
  readonly slow?: boolean;
  readonly rollout?: boolean;
  readonly json?: boolean;
}

/** `npm run smoke` */
export const main = command('npm run smoke --', (program, io) => {
  program
    .description(
      'Uses a deployed service as its users do, says for each step whether it works and how long it takes, and deletes what it made',
    )
    .option('--url <url>', 'the output BaseUrl of the stack')
    .option(
      '--key <key>',
      'an API key with the scope assets:write: its rate limit is higher, so nothing has to wait',
    )
    .option('--token <token>', 'an OAuth access token with that scope')
    .option(
      '--domain <name>',
      'also a domain of yours, whose DNS records you create when the step prints them',
    )
    .option('--only <steps>', `some of the steps: ${NAMES}`)
    .option(
      '--stack <name>',
      'also check the stack with this name on AWS: its API Gateway and the quota of the account',
    )
    .option('--slow', 'also run steps that take minutes: a page that expires, and a long generation')
    .option(
      '--rollout',
      'with --stack, also roll a new version of the function that serves pages out and back',
    )
    .option('--json', 'one JSON object at the end instead of a line per step')
    .addHelpText('after', `\n${EXIT_CODES_OF_OPERATORS}; a step that fails is a failure`)
    .action((options: Options) => smoke(options, io));
});

async function smoke(
  { url, only, json = false, stack: name, ...options }: Options,
  io: CommandIo,
): Promise<void> {
  const baseUrl = checkedUrl(url);
  const steps = selectSteps(only);
  const stack = name === undefined ? undefined : await readStack(name, io.env);
  const say = (text: string) => io.stderr.write(`${text}\n`);
  using session = new Session({ ...options, stack, baseUrl, say });
  await requireReachable(session);
  const begin = performance.now();
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    const outcome = await perform(step, session);
    outcomes.push(outcome);
    if (!json) printOutcome(outcome, io);
  }
  const left = await session.end();
  const { client, http } = session;
  const ms = Math.round(performance.now() - begin);
  const totals = { url: baseUrl.href, requests: http.requests, counted: client.counted, ms };
  if (json) io.stdout.write(jsonReport(outcomes, totals));
  else printSummary(outcomes, totals, io);
  refuseFailures(outcomes, left, io);
}

function checkedUrl(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('Missing option --url: the output BaseUrl of the stack');
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/') return new URL(url.origin);
  throw new UsageError(
    `Invalid --url ${text}: expected a base URL such as https://d111111abcdef8.cloudfront.net`,
  );
}

function selectSteps(only: string | undefined): readonly Step[] {
  if (only === undefined) return STEPS;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !STEPS.some((step) => step.name === name));
  if (unknown !== undefined) throw new UsageError(`Unknown step "${unknown}": the steps are ${NAMES}`);
  return STEPS.filter(({ name }) => names.includes(name));
}

async function requireReachable({ http, options: { baseUrl } }: Session): Promise<void> {
  await http.send(baseUrl).catch(({ message }: Error) => {
    throw new Error(
      `${baseUrl.href} is unreachable (${message}): check the output BaseUrl of the stack and, with domainName, its DNS record`,
    );
  });
}

async function perform(step: Step, session: Session): Promise<StepOutcome> {
  // Without the time that the rate limit cost.
  const now = () => performance.now() - session.client.waitedMs;
  const begin = now();
  const elapsed = () => Math.round(now() - begin);
  try {
    const note = await step.run(session);
    return { step, status: 'passed', ms: elapsed(), ...(typeof note === 'string' ? { note } : {}) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof SkippedError) return { step, status: 'skipped', ms: elapsed(), note: message };
    return { step, status: 'failed', ms: elapsed(), problem: message };
  }
}

/** @throws Error that names the failed steps, and what could not be deleted */
function refuseFailures(
  outcomes: readonly StepOutcome[],
  left: readonly string[],
  { stderr }: CommandIo,
): void {
  for (const problem of left) stderr.write(`Not cleaned up: ${problem}\n`);
  const failed = outcomes.filter(({ status }) => status === 'failed').map(({ step: { name } }) => name);
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}`);
  if (left.length > 0) throw new Error('Not everything was cleaned up');
}
