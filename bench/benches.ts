import { accessBench } from './access.ts';
import { buildsBench } from './builds.ts';
import { cliBench } from './cli.ts';
import { deploymentsBench } from './deployments.ts';
import type { Figure } from './figure.ts';
import { generateDeployBench } from './generate-deploy.ts';
import { generationBench } from './generation.ts';
import { initBench } from './init.ts';
import { looksBench } from './looks.ts';
import { outageBench } from './outage.ts';
import { paceBench } from './pace.ts';
import { parserBench } from './parser.ts';
import { ptpBench } from './ptp.ts';
import { startBench } from './start.ts';
import { viewsBench } from './views.ts';
import { waitsBench } from './waits.ts';

export interface Bench {
  /** What is measured, and against what, for docs/performance.md. */
  readonly how: string;
  readonly run: () => Promise<readonly Figure[]>;
}

/** In the order in which they run. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  parser: {
    how: 'The parser of answers reads real projects in chunks. Floor: collecting the same chunks and splitting the text into lines. Growth: the same code with half the input, 2 if it is linear.',
    run: parserBench,
  },
  init: {
    how: 'New Node processes load the bundle of a function; the time of a Node that loads nothing is subtracted. Floor: a bundle that only creates a DynamoDB client.',
    run: initBench,
  },
  generation: {
    how: 'Generations over HTTP on the local cloud, with a scripted provider. Floor: reading all that the same provider writes, without the service.',
    run: generationBench,
  },
  'generate-deploy': {
    how: 'One call that generates and deploys. Peer: the two calls, one after the other. Each page is then visited at an edge that has no copy.',
    run: generateDeployBench,
  },
  pace: {
    how: 'Whole projects at 80 tokens a second, with time ten times as fast and the limit of two minutes per call. Floor: one call of the same vendor that nothing cuts off.',
    run: paceBench,
  },
  deployments: {
    how: 'Bundles of functions on the tables and buckets of the local cloud. Floors: parsing the body and one `PutObject`, one `GetItem`, one `GetObject`, or reading the deployment over HTTP. Counts are the calls that AWS would get.',
    run: deploymentsBench,
  },
  views: {
    how: 'The site function with and without counting, on the same tables, 25 visits at a time.',
    run: viewsBench,
  },
  outage: {
    how: 'Visits at a fixed rate while DynamoDB and S3 accept requests and never respond. Floor: the time that they took before.',
    run: outageBench,
  },
  access: {
    how: 'The function that identifies and counts callers, on the DynamoDB of the local cloud. Floor: one `UpdateItem`. Counts are the calls that AWS would get.',
    run: accessBench,
  },
  builds: {
    how: 'New processes build the template `react-ts` of Vite and a dashboard. Peer: `vite build` of the same project with installed packages.',
    run: buildsBench,
  },
  looks: {
    how: 'A look at a project. Floor: the same browser, which only opens and pictures the page at both widths.',
    run: looksBench,
  },
  cli: { how: '`ptp --help` in a new process. Floor: `node -e 0`.', run: cliBench },
  ptp: {
    how: '`ptp generate --deploy` in an empty folder. Floor: a script with the two calls of the API.',
    run: ptpBench,
  },
  start: {
    how: '`npm start` until it is ready, again and with a new state folder. Peer: its first start, which synthesizes the stack.',
    run: startBench,
  },
  waits: {
    how: 'Deploys of other callers while one address opens 1,000 waits. Peer: the same deploys before.',
    run: waitsBench,
  },
};
