import { accessBench } from './access.ts';
import { deploymentsBench } from './deployments.ts';
import type { Figure } from './figure.ts';
import { generationBench } from './generation.ts';
import { initBench } from './init.ts';
import { parserBench } from './parser.ts';

/** Runs every benchmark, prints its figures beside their bounds, and ends with 1 when one is out of bounds. */
const figures: Figure[] = [];
for (const bench of [parserBench, initBench, generationBench, deploymentsBench, accessBench])
  figures.push(...(await bench()));

const width = Math.max(...figures.map(({ name }) => name.length));
for (const { name, value, unit, bound, ok } of figures) {
  const figure = `${value.toLocaleString('en', { maximumFractionDigits: 2 })} ${unit}`.padStart(14);
  console.log(`${ok ? 'ok  ' : 'MISS'}  ${name.padEnd(width)}  ${figure}   ${bound}`);
}
process.exitCode = figures.every(({ ok }) => ok) ? 0 : 1;
