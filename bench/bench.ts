import { accessBench } from './access.ts';
import { cliBench } from './cli.ts';
import { deploymentsBench } from './deployments.ts';
import { type Figure, lineOf } from './figure.ts';
import { generateDeployBench } from './generate-deploy.ts';
import { generationBench } from './generation.ts';
import { initBench } from './init.ts';
import { outageBench } from './outage.ts';
import { paceBench } from './pace.ts';
import { parserBench } from './parser.ts';
import { ptpBench } from './ptp.ts';
import { startBench } from './start.ts';

const NAME_WIDTH = 68;

/** Runs every benchmark and prints its figures with their bounds; exits with 1 if a figure misses its bound. */
const figures: Figure[] = [];
for (const bench of [
  parserBench,
  initBench,
  generationBench,
  generateDeployBench,
  paceBench,
  deploymentsBench,
  outageBench,
  accessBench,
  cliBench,
  ptpBench,
  startBench,
]) {
  const measured = await bench();
  for (const figure of measured) console.log(lineOf(figure, NAME_WIDTH));
  figures.push(...measured);
}
process.exitCode = figures.every(({ ok }) => ok) ? 0 : 1;
