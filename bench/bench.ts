import { accessBench } from './access.ts';
import { deploymentsBench } from './deployments.ts';
import { type Figure, lineOf } from './figure.ts';
import { generationBench } from './generation.ts';
import { initBench } from './init.ts';
import { parserBench } from './parser.ts';

const NAME_WIDTH = 68;

/** Runs every benchmark, prints its figures beside their bounds, and ends with 1 when one is out of bounds. */
const figures: Figure[] = [];
for (const bench of [parserBench, initBench, generationBench, deploymentsBench, accessBench]) {
  const measured = await bench();
  for (const figure of measured) console.log(lineOf(figure, NAME_WIDTH));
  figures.push(...measured);
}
process.exitCode = figures.every(({ ok }) => ok) ? 0 : 1;
