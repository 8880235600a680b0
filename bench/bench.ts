import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { buildBench } from './build.ts';
import { type Figure, lineOf, numberText } from './figure.ts';
import { lookBench } from './look.ts';
import { dataBench, deployBench, limiterBench, pageBench } from './on-cloud.ts';
import { paceBench } from './pace.ts';
import { startBench } from './start.ts';

/** Benchmarks in the order in which they run. */
const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  deploy: deployBench,
  page: pageBench,
  data: dataBench,
  limiter: limiterBench,
  pace: paceBench,
  build: buildBench,
  look: lookBench,
  start: startBench,
};

const NAME_WIDTH = 68;

const INTRODUCTION = `# Performance

<!-- Written by npm run bench -- --write: change bench/ instead. -->
The figures of \`npm run bench\`. A ratio *A / B* compares the product with a floor (the minimum that the task requires) or with a peer that
does the same task, measured alternately in the same run. It is the median of the rounds and has a bound; A and B are medians, and depend on
the machine. [Decision 0020](decisions/0020-benchmarks-are-ratios.md) explains why ratios are bounded and times are not. All benchmarks run
on the local cloud, so they show nothing about the latency of AWS.
`;

/** Prints the figures of a benchmark with their bounds, or its error. @returns undefined if it failed */
async function perform(name: string): Promise<readonly Figure[] | undefined> {
  try {
    const figures = (await BENCHES[name]?.()) ?? [];
    for (const figure of figures) console.log(lineOf(figure, NAME_WIDTH));
    return figures;
  } catch (error) {
    console.log(`${name.padEnd(NAME_WIDTH)} FAILED: ${error instanceof Error ? error.message : error}`);
    console.error(error);
    return undefined;
  }
}

/** @param write writes docs/performance.md, which leaves out the benchmarks that failed */
async function bench(names: readonly string[], write: boolean): Promise<void> {
  const measured: Figure[] = [];
  for (const name of names) {
    const figures = await perform(name);
    measured.push(...(figures ?? []));
    if (!figures?.every(({ ok }) => ok)) process.exitCode = 1;
  }
  if (!write) return;
  writeFileSync('docs/performance.md', performanceDocument(measured));
  console.log('Wrote docs/performance.md');
}

/** Returns the text of docs/performance.md. */
function performanceDocument(figures: readonly Figure[]): string {
  const { version, platform, arch } = process;
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} processors (${model}), Node ${version.slice(1)}, ${platform} ${arch}`;
  const rows = figures.map(({ name, value, bound, ok, raw }) => {
    const behind = raw ? `${numberText(raw.own)} / ${numberText(raw.other)} ${raw.unit}`.trim() : '';
    return `| ${name} | ${numberText(value)} | ${bound} | ${ok ? 'yes' : '**no**'} | ${behind} |`;
  });
  return `${INTRODUCTION}
Measured on ${day}: ${machine}.

| figure | measured | bound | met | A / B |
|---|---|---|---|---|
${rows.join('\n')}
`;
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
