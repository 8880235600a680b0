import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { Bench } from './benches.ts';
import { type Figure, numberText } from './figure.ts';

/** The results of a run, in the format of docs/performance.json. */
export interface Results {
  /** UTC day. */
  readonly date: string;
  /** `2 processors (…), Node 24.21.0, linux x64` */
  readonly machine: string;
  /** Figures by the name of the benchmark, in the order of the run. */
  readonly figures: Readonly<Record<string, readonly Figure[]>>;
}

const RESULTS = new URL('../docs/performance.json', import.meta.url);
const DOCUMENT = new URL('../docs/performance.md', import.meta.url);

export const readResults = (): Results => JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;

/** Writes docs/performance.json and docs/performance.md from the figures of one run. */
export function writePerformance(
  figures: Results['figures'],
  benches: Readonly<Record<string, Pick<Bench, 'how'>>>,
): void {
  const results = { date: new Date().toISOString().slice(0, 10), machine: machine(), figures };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(DOCUMENT, performanceDocument(results, benches));
}

function machine(): string {
  const { model = 'unknown' } = cpus()[0] ?? {};
  const { version, platform, arch } = process;
  return `${availableParallelism()} processors (${model.trim()}), Node ${version.slice(1)}, ${platform} ${arch}`;
}

/** Returns the text of docs/performance.md. */
export function performanceDocument(
  { date, machine: on, figures }: Results,
  benches: Readonly<Record<string, Pick<Bench, 'how'>>>,
): string {
  const missing = Object.keys(benches).filter((name) => !Object.hasOwn(figures, name));
  const sections = Object.entries(figures).flatMap(([name, all]) => [
    `## ${name}`,
    benches[name]?.how ?? '',
    table(all),
  ]);
  return [
    '# Performance',
    INTRODUCTION,
    `Measured on ${date}: ${on}.${missing.length > 0 ? ` Not measured in that run: ${missing.map((name) => `\`${name}\``).join(', ')}.` : ''}`,
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `<!-- Written by npm run bench -- --write: change bench/ instead. -->
Every figure of \`npm run bench\`, beside its floor (the minimum that the task requires) or a peer that does the same task, measured
alternately in the same run. A ratio *A / B* is the median of the rounds and has a bound; A and B are medians, and depend on the machine.
[Decision 0020](decisions/0020-benchmarks-are-ratios.md) explains why ratios are bounded and times are not. All benchmarks run on the local
cloud, so they show nothing about the latency of AWS; [costs.md](costs.md) has the cost of the same requests on AWS.`;

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, bound, ok, raw }) => {
    const [own, other] = raw
      ? [raw.own, raw.other].map((one) => `${numberText(one)} ${raw.unit}`.trim())
      : [];
    return [name, numberText(value), bound, ok ? 'yes' : '**no**', own ?? '', other ?? ''];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['figure', 'measured', 'bound', 'met', 'A', 'B, the floor or peer'];
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
