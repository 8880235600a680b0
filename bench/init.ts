import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { bundle } from '../lib/platform/bundle.ts';
import { atMost, type Figure, percentile } from './figure.ts';

const ROUNDS = 15;

/** What a bundle with a response stream expects of its surroundings. */
const LAMBDA = 'data:text/javascript,globalThis.awslambda={streamifyResponse:(f)=>f}';

const ONE_FILE = [
  ...[
    '--bundle',
    '--minify',
    '--platform=node',
    '--format=esm',
    '--target=node24',
    '--main-fields=module,main',
  ],
  "--banner:js=import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  '--log-level=error',
];

/** What the generate function needs to be loaded outside of Lambda. */
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  GENERATIONS_TABLE: 't',
  GENERATIONS_BUCKET: 'b',
  STATE_MACHINE_ARN: 'a',
  PROVIDER_NAMES: '["provider-a"]',
  RATE_LIMITS_TABLE: 't',
  API_KEYS_TABLE: 't',
  USAGE_TABLE: 't',
  OAUTH: '{"issuer":"https://issuer.example","audience":["bench"]}',
  ORIGIN_SECRET: 's',
  BASE_URL: 'u',
  RATE_LIMIT: '{"windowSeconds":60,"anonymous":10,"key":100}',
};

/**
 * How long the generate function takes to load, over a bare Node, against the floor of anything that talks to AWS:
 * client-dynamodb alone, in one file as the CDK's NodejsFunction bundles it, and split as ours are. Each round measures
 * all of them, so that the machine's moods cancel out.
 */
export async function initBench(): Promise<Figure[]> {
  const generate = join(bundle('lambda/generation/api.handler.ts', []), 'index.mjs');
  const split = join(bundle('bench/floor.ts', []), 'index.mjs');
  const oneFile = join(dirname(split), 'one-file.mjs');
  execFileSync('node_modules/.bin/esbuild', ['bench/floor.ts', ...ONE_FILE, `--outfile=${oneFile}`]);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const [bare, own, floor, splitFloor] = [['-e', '0'], [generate], [oneFile], [split]].map(load) as Four;
    return { oneFile: (own - bare) / (floor - bare), split: (own - bare) / (splitFloor - bare) };
  });
  const median = (of: 'oneFile' | 'split') =>
    percentile(
      rounds.map((round) => round[of]),
      0.5,
    );
  return [
    atMost('init of generate / client-dynamodb in one file', median('oneFile'), 1.45, ''),
    atMost('init of generate / client-dynamodb split alike', median('split'), 2, ''),
  ];
}

type Four = [number, number, number, number];

/** Milliseconds of a Node process from start to end. */
function load(args: readonly string[]): number {
  const before = process.hrtime.bigint();
  execFileSync(process.execPath, ['--import', LAMBDA, ...args], {
    env: { ...process.env, ...ENVIRONMENT },
    stdio: 'ignore',
  });
  return Number(process.hrtime.bigint() - before) / 1e6;
}
