import { compose } from '../blueprints/engine/compose.ts';
import { OutputParser } from '../lambda/generation/attempt/answer/output-parser.ts';
import type { Figure } from './figure.ts';
import { type Bound, measureMs, ratio } from './ratio.ts';
import { ReparsingParser } from './reparsing-parser.ts';

const KB = 1_000;
const MB = 1_000_000;
/** For twice the input, a linear parser takes twice the time and a quadratic one four times; the rest is noise. */
const GROWTH = { atMost: 3 };

/** Measures the output parser against splitting the text, a parser that starts over, and itself with half the input. */
export async function parserBench(): Promise<Figure[]> {
  const line = (megabytes: number) => `<file path="a">\n${'x'.repeat(megabytes * MB)}\n</file>\n`;
  return [
    await againstSplit('parser / split, 4 MB in chunks of 4 KB', transcript(4 * MB), 4_096, { atMost: 6 }),
    await againstSplit('parser / split, 1 MB byte by byte', transcript(MB), 1, { atMost: 2 }),
    await againstReparsing('re-parsing / parser, 200 KB in chunks of 4 KB', 200 * KB, 4_096, {
      atLeast: 2.5,
    }),
    await againstReparsing('re-parsing / parser, 100 KB in chunks of 20', 100 * KB, 20, { atLeast: 40 }),
    await growth('parser, twice the input in chunks of 4 KB', transcript(4 * MB), transcript(8 * MB), 4_096),
    await growth('parser, twice the input byte by byte', transcript(MB), transcript(2 * MB), 1),
    await growth('parser, twice the line byte by byte', line(2), line(4), 1),
  ];
}

/** The floor of any parser of lines: collecting the chunks and splitting the text. */
function againstSplit(name: string, text: string, size: number, bound: Bound): Promise<Figure> {
  const chunks = cut(text, size);
  const split = () => {
    let all = '';
    for (const chunk of chunks) all += chunk;
    return all.split('\n');
  };
  return ratio(
    name,
    bound,
    () => measureMs(() => parse(chunks)),
    () => measureMs(split),
  );
}

function againstReparsing(name: string, characters: number, size: number, bound: Bound): Promise<Figure> {
  const chunks = cut(transcript(characters), size);
  const reparse = () => {
    const parser = new ReparsingParser();
    for (const chunk of chunks) parser.feed(chunk);
    return parser.files;
  };
  const files = [...parse(chunks).files.values()].map(({ path, content }) => [path, content]);
  if (JSON.stringify(files) !== JSON.stringify([...reparse()])) throw new Error('the parsers disagree');
  return ratio(
    name,
    bound,
    () => measureMs(reparse),
    () => measureMs(() => parse(chunks)),
  );
}

function growth(name: string, text: string, twice: string, size: number): Promise<Figure> {
  const [large, small] = [cut(twice, size), cut(text, size)];
  return ratio(
    name,
    GROWTH,
    () => measureMs(() => parse(large)),
    () => measureMs(() => parse(small)),
  );
}

function parse(chunks: readonly string[]): OutputParser {
  const parser = new OutputParser();
  for (const chunk of chunks) parser.feed(chunk);
  parser.end();
  return parser;
}

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

/** Returns files of real projects between markers, with at least this many characters. */
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
