import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { reservedIn } from '../bin/account-capacity.ts';
import { type CommandIo, main as command, EXIT_CODES_OF_OPERATORS, UsageError } from '../terminal/program.ts';
import { type SiteRelease, siteReleaseIn } from './site-release.ts';
import { openStage } from './stage.ts';

const ROOT = join(import.meta.dirname, '..');
const CONTRACT = 'test/contract';

interface Options {
  readonly url?: string;
  readonly only?: string;
}

export const main = command('npm run smoke --', (program, io) => {
  program
    .description(
      'Runs the tests of the contract that a deployed service can answer, says for each step whether it works and how long it takes, and deletes what it made',
    )
    .option('--url <url>', 'the output BaseUrl of the stack')
    .option('--key <key>', 'an API key with the scope assets:write: its rate limit is higher, so nothing has to wait')
    .option('--token <token>', 'an OAuth access token with that scope')
    .option('--domain <name>', 'also a domain of yours, whose DNS records you create when the step prints them')
    .option('--only <steps>', `some of the steps: ${stepNames().join(', ')}`)
    .option(
      '--stack <name>',
      'also check the stack with this name on AWS: its API Gateway and the quota of the account',
    )
    .option('--slow', 'also run steps that take minutes: a page that expires, and a long generation')
    .option('--rollout', 'with --stack, also roll a new version of the function that serves pages out and back')
    .option('--json', 'one JSON object at the end instead of a line per step')
    .addHelpText('after', `\n${EXIT_CODES_OF_OPERATORS}; a step that fails is a failure`)
    .action((options: Options) => smoke(options, io));
});

async function smoke({ url, only, ...options }: Options, io: CommandIo): Promise<void> {
  const baseUrl = checkedUrl(url);
  const names = selected(only);
  await requireReachable(baseUrl);
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const pattern = `\\[(${names.join('|')})\\]$`;
  const args = [jest, '--config', 'jest.smoke.config.js', '--runInBand', '--testNamePattern', pattern];
  const color = io.stdout.isTTY === true && !io.env.NO_COLOR;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...io.env, SMOKE: JSON.stringify({ ...options, url: baseUrl.href, color }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => io.stdout.write(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => io.stderr.write(chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The smoke test failed');
}

function checkedUrl(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('Missing option --url: the output BaseUrl of the stack');
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/') return new URL(url.origin);
  throw new UsageError(`Invalid --url ${text}: expected a base URL such as https://d111111abcdef8.cloudfront.net`);
}

/** Returns the names of the steps, in the order in which they run. */
function stepNames(): string[] {
  const files = readdirSync(join(ROOT, CONTRACT)).toSorted();
  const sources = files.map((file) => readFileSync(join(ROOT, CONTRACT, file), 'utf8')).join('\n');
  return Array.from(sources.matchAll(/\bonStage\(\{\s*name: '([^']+)'/g), ([, name = '']) => name);
}

function selected(only: string | undefined): readonly string[] {
  const known = stepNames();
  if (only === undefined) return known;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(`Unknown step "${unknown}": the steps are ${known.join(', ')}`);
}

async function requireReachable(baseUrl: URL): Promise<void> {
  await fetch(baseUrl, { method: 'HEAD' }).catch((error: Error) => {
    const { code = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(
      `${baseUrl.href} is unreachable (${code}): check the output BaseUrl of the stack and, with domainName, its DNS record`,
    );
  });
}

/** Facts about a stack that its users cannot see. */
export interface StackFacts {
  /** The URL of its API at API Gateway. */
  readonly gateway: URL;
  /** The account's quota of concurrent executions, the unreserved part of it, and how many the stack's functions reserve. */
  readonly concurrency?: undefined | { readonly quota: number; readonly unreserved: number; readonly reserved: number };
  /** Undefined if the stack is deployed all at once, or local. */
  readonly site?: SiteRelease | undefined;
}

/** Lambda keeps this number of concurrent executions unreserved. */
const UNRESERVED = 100;

/** Says why functions do not have the concurrency that they reserve, or returns undefined if they have it. */
export function concurrencyProblem({
  quota,
  unreserved,
  reserved,
}: NonNullable<StackFacts['concurrency']>): string | undefined {
  if (quota - unreserved < reserved)
    return `${reserved} are reserved in the template, but ${quota - unreserved} in the account: deploy the stack again`;
  if (unreserved < UNRESERVED) return `Only ${unreserved} of ${quota} are left for functions without a reservation`;
  return undefined;
}

/** The name of the local service, instead of that of a stack. */
const LOCAL = 'local';

/**
 * Reads facts about a stack from AWS.
 * @param name of a stack in the AWS account of the process's credentials, or `local` for the local service
 * @throws Error for missing credentials or permissions
 */
export async function readStack(name: string, env: NodeJS.ProcessEnv): Promise<StackFacts> {
  using stage = await openStage(name === LOCAL ? undefined : name, env);
  const gateway = [...stage.outputs.values()].find((value) => value.includes('.execute-api.'));
  if (gateway === undefined) throw new Error(`The stack ${name} has no output with the URL of its API`);
  if (name === LOCAL) return { gateway: new URL(gateway) };
  const [concurrency, resources] = await Promise.all([readConcurrency(name), stage.resources(name)]);
  return { gateway: new URL(gateway), concurrency, site: siteReleaseIn(resources) };
}

async function readConcurrency(StackName: string): Promise<StackFacts['concurrency']> {
  const lambda = new LambdaClient();
  const cloudFormation = new CloudFormationClient();
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
    const { TemplateBody } = await cloudFormation.send(new GetTemplateCommand({ StackName }));
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
    return { quota, unreserved, reserved: reservedIn(TemplateBody) };
  } finally {
    lambda.destroy();
    cloudFormation.destroy();
  }
}
