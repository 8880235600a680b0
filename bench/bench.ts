import { parseArgs } from 'node:util';
import { BENCHES } from './benches.ts';
import { type Figure, lineOf } from './figure.ts';
import { writePerformance } from './performance.ts';

const NAME_WIDTH = 68;

/** Prints the figures of a benchmark with their bounds, or its error. @returns undefined if it failed */
async function perform(name: string): Promise<readonly Figure[] | undefined> {
  try {
    const figures = (await BENCHES[name]?.run()) ?? [];
    for (const figure of figures) console.log(lineOf(figure, NAME_WIDTH));
    return figures;
  } catch (error) {
    console.log(`${name.padEnd(NAME_WIDTH)} FAILED: ${error instanceof Error ? error.message : error}`);
    console.error(error);
    return undefined;
  }
}

/** @param write writes docs/performance.md, which lists the benchmarks that failed as not measured */
async function bench(names: readonly string[], write: boolean): Promise<void> {
  const measured: Record<string, readonly Figure[]> = {};
  for (const name of names) {
    const figures = await perform(name);
    if (figures) measured[name] = figures;
    if (!figures?.every(({ ok }) => ok)) process.exitCode = 1;
  }
  if (!write) return;
  writePerformance(measured, BENCHES);
  console.log('Wrote docs/performance.json and docs/performance.md');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else await bench(positionals.length > 0 ? positionals : Object.keys(BENCHES), values.write);
