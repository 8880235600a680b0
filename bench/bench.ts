import { accessBench } from './access.ts';
import { buildsBench } from './builds.ts';
import { cliBench } from './cli.ts';
import { deploymentsBench } from './deployments.ts';
import { type Figure, lineOf } from './figure.ts';
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

const NAME_WIDTH = 68;

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  parser: parserBench,
  init: initBench,
  generation: generationBench,
  'generate-deploy': generateDeployBench,
  pace: paceBench,
  deployments: deploymentsBench,
  views: viewsBench,
  outage: outageBench,
  access: accessBench,
  builds: buildsBench,
  looks: looksBench,
  cli: cliBench,
  ptp: ptpBench,
  start: startBench,
  waits: waitsBench,
};

/** Prints the figures of a benchmark with their bounds, or why it failed. @returns whether all are within their bounds */
async function perform(name: string): Promise<boolean> {
  try {
    const figures = await BENCHES[name]?.();
    for (const figure of figures ?? []) console.log(lineOf(figure, NAME_WIDTH));
    return figures?.every(({ ok }) => ok) ?? false;
  } catch (error) {
    console.log(`${name.padEnd(NAME_WIDTH)} FAILED: ${error instanceof Error ? error.message : error}`);
    console.error(error);
    return false;
  }
}

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else {
  for (const name of requested.length > 0 ? requested : Object.keys(BENCHES)) {
    if (!(await perform(name))) process.exitCode = 1;
  }
}
