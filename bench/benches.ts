import { accessBench } from './access.ts';
import { buildsBench } from './builds.ts';
import { cliBench } from './cli.ts';
import { deploymentsBench } from './deployments.ts';
import type { Figure } from './figure.ts';
import { generateDeployBench } from './generate-deploy.ts';
import { generationBench } from './generation.ts';
import { initBench } from './init.ts';
import { looksBench } from './looks.ts';
import { observabilityBench } from './observability.ts';
import { outageBench } from './outage.ts';
import { paceBench } from './pace.ts';
import { parserBench } from './parser.ts';
import { ptpBench } from './ptp.ts';
import { startBench } from './start.ts';
import { viewsBench } from './views.ts';
import { waitsBench } from './waits.ts';

export interface Bench {
  /** Describes the measurement and its floor or peer in docs/performance.md. */
  readonly how: string;
  readonly run: () => Promise<readonly Figure[]>;
}

/** Benchmarks in the order in which they run. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  parser: {
    how: 'The parser of answers reads real projects in chunks. Floor: collecting the same chunks and splitting the text into lines. Growth: the same code with half the input; 2 means linear time.',
    run: parserBench,
  },
  init: {
    how: 'New Node processes load the bundle of a function, minus the time of a Node process that loads nothing. Floor: a bundle that only creates a DynamoDB client.',
    run: initBench,
  },
  generation: {
    how: 'Generations over HTTP on the local cloud, with a scripted provider. Floor: reading the complete output of the same provider, without the service.',
    run: generationBench,
  },
  'generate-deploy': {
    how: 'One call that generates and deploys. Peer: two separate calls in sequence. Each page is then visited at an edge without a copy.',
    run: generateDeployBench,
  },
  pace: {
    how: 'Complete projects at 80 tokens a second, with time ten times as fast and a limit of two minutes per call. Floor: one call to the same vendor without a limit.',
    run: paceBench,
  },
  deployments: {
    how: 'Bundles of functions on the tables and buckets of the local cloud. Floors: parsing the body and one `PutObject`, one `GetItem`, one `GetObject`, or reading the deployment over HTTP. Counts are calls to AWS.',
    run: deploymentsBench,
  },
  views: {
    how: 'The site function with and without counting, on the same tables, 25 visits at a time.',
    run: viewsBench,
  },
  outage: {
    how: 'Visits at a fixed rate while DynamoDB and S3 accept requests and never respond. Floor: their time before the outage.',
    run: outageBench,
  },
  access: {
    how: 'The function that identifies and counts callers, on the DynamoDB of the local cloud. Floor: one `UpdateItem`. Counts are calls to AWS.',
    run: accessBench,
  },
  observability: {
    how: 'The function of usage and unknown paths, in new processes and with requests that no route matches, on the DynamoDB of the local cloud. Floor: the same bundle with logs and metrics that do nothing.',
    run: observabilityBench,
  },
  builds: {
    how: 'New processes build the template `react-ts` of Vite and a dashboard. Peer: `vite build` of the same project with installed packages.',
    run: buildsBench,
  },
  looks: {
    how: 'A look at a project. Floor: the same browser, which only opens the page and takes a picture at both widths.',
    run: looksBench,
  },
  cli: { how: '`ptp --help` in a new process. Floor: `node -e 0`.', run: cliBench },
  ptp: {
    how: '`ptp generate --deploy` in an empty folder. Floor: a script with the two calls of the API.',
    run: ptpBench,
  },
  start: {
    how: '`npm start` until it is ready, started again and with a new state folder. Peer: its first start, which synthesizes the stack.',
    run: startBench,
  },
  waits: {
    how: 'Deploys of other callers while one address opens 1,000 waits. Peer: the same deploys without the waits.',
    run: waitsBench,
  },
};
