import { OutputParser } from '../lambda/generation/output-parser.ts';
import { compose } from '../lambda/generation/providers/blueprint/compose.ts';
import type { Figure } from './figure.ts';

const MB = 1_000_000;
const RUNS = 7;
/** In megabytes a second. */
const MIN_SPEED = 50;
/** Time of twice the input over time of the input: 2 is linear, 4 is quadratic; the rest is noise. */
const MAX_SCALING = 3;

/** Speed of the output parser on a transcript of real projects, and how its time grows with the input. */
export async function parserBench(): Promise<Figure[]> {
  const large = transcript(20 * MB);
  const small = transcript(2 * MB);
  const line = (megabytes: number) => `<file path="a">\n${'x'.repeat(megabytes * MB)}\n</file>\n`;
  return [
    speed('parser, 20 MB in chunks of 4 KB', large, 4_096, MIN_SPEED),
    speed('parser, 2 MB byte by byte', small, 1, MIN_SPEED),
    scaling('parser, growth in chunks of 4 KB', transcript(10 * MB), large, 4_096),
    scaling('parser, growth byte by byte', small, transcript(4 * MB), 1),
    scaling('parser, growth of one line byte by byte', line(2.5), line(5), 1),
  ];
}

/** Files of real projects between their markers, until there are this many characters. */
function transcript(characters: number): string {
  const project = compose('a kanban board for a bakery', 'auto');
  const parts: string[] = [];
  for (let n = 0, length = 0; length < characters; n++) {
    const { path, content } = project[n % project.length] ?? { path: '', content: '' };
    const part = `<file path="${n}/${path}">\n${content}</file>\n`;
    parts.push(part);
    length += part.length;
  }
  return `${parts.join('')}<done/>\n`;
}

function speed(name: string, text: string, chunk: number, least: number): Figure {
  const value = text.length / MB / (milliseconds(text, chunk) / 1_000);
  return { name, value, unit: 'MB/s', bound: `≥ ${least}`, ok: value >= least };
}

function scaling(name: string, text: string, twice: string, chunk: number): Figure {
  const value = milliseconds(twice, chunk) / milliseconds(text, chunk);
  return { name, value, unit: '× for twice the input', bound: `≤ ${MAX_SCALING}`, ok: value <= MAX_SCALING };
}

/** The fastest of some runs: what the machine does besides only ever adds. The cutting is not counted. */
function milliseconds(text: string, chunk: number): number {
  const chunks = Array.from({ length: Math.ceil(text.length / chunk) }, (_, i) =>
    text.slice(i * chunk, (i + 1) * chunk),
  );
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    const parser = new OutputParser();
    for (const piece of chunks) parser.feed(piece);
    parser.end();
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}
