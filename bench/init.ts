import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Figure } from './figure.ts';
import { bundleFile } from './in-process.ts';
import { ratio } from './ratio.ts';

/** The Lambda global that a streaming function uses when it loads. */
const LAMBDA = 'data:text/javascript,globalThis.awslambda={streamifyResponse:(f)=>f}';

const ONE_FILE = [
  '--bundle',
  '--minify',
  '--platform=node',
  '--format=esm',
  '--target=node24',
  '--main-fields=module,main',
  "--banner:js=import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  '--log-level=error',
];

/** The variables that the generate function needs to load outside Lambda. */
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  GENERATIONS_TABLE: 't',
  GENERATIONS_BUCKET: 'b',
  ASSETS_TABLE: 't',
  ASSETS_BUCKET: 'b',
  ALLOW_PRIVATE_WEBHOOKS: 'false',
  DEPLOYMENTS_TABLE: 't',
  SITES_BUCKET: 'b',
  ID_SECRET: 's',
  STATE_MACHINE_ARN: 'a',
  PROVIDER_NAMES: '["provider-a"]',
  RATE_LIMITS_TABLE: 't',
  API_KEYS_TABLE: 't',
  USAGE_TABLE: 't',
  OAUTH: '{"issuer":"https://issuer.example","audience":["bench"]}',
  ORIGIN_SECRET: 's',
  BASE_URL: 'https://bench.example',
  API_URL: 'https://api.bench.example',
  RATE_LIMIT: '{"windowSeconds":60,"anonymous":10,"key":100}',
};

/**
 * Measures the load time of the generate function, less that of a bare Node, against the floor of any function that calls
 * AWS: client-dynamodb alone, in one file like the bundles of the CDK's NodejsFunction, and split like ours. Also that of the
 * function for agents, against the generate function.
 */
export async function initBench(): Promise<Figure[]> {
  const generate = bundleFile('lambda/generation/api/api.handler.ts');
  const split = bundleFile('bench/floor.ts');
  const oneFile = join(dirname(split), 'one-file.mjs');
  execFileSync('node_modules/.bin/esbuild', ['bench/floor.ts', ...ONE_FILE, `--outfile=${oneFile}`]);
  const overBare = (file: string) => () => {
    const bare = load(['-e', '0']);
    return load([file]) - bare;
  };
  const agents = bundleFile('lambda/mcp/api.handler.ts');
  const effort = { rounds: 11 };
  return [
    await ratio(
      'init of generate / client-dynamodb in one file',
      { atMost: 1.45 },
      overBare(generate),
      overBare(oneFile),
      effort,
    ),
    await ratio(
      'init of generate / client-dynamodb, split',
      { atMost: 2 },
      overBare(generate),
      overBare(split),
      effort,
    ),
    await ratio('init of mcp / generate', { atMost: 1.3 }, overBare(agents), overBare(generate), effort),
  ];
}

/** Returns the milliseconds that a Node process takes. */
function load(args: readonly string[]): number {
  const before = process.hrtime.bigint();
  execFileSync(process.execPath, ['--import', LAMBDA, ...args], {
    env: { ...process.env, ...ENVIRONMENT },
    stdio: 'ignore',
  });
  return Number(process.hrtime.bigint() - before) / 1e6;
}
