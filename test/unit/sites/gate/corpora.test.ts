import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assess } from '../../../../lambda/sites/gate/gatekeeper.ts';
import { entryOf } from '../../../../lambda/sites/paths.ts';
import { parseConfig } from '../../../../lib/config.ts';
import { KITS, LEGITIMATE } from '../../../support/gate/index.ts';
import type { SampleFiles, Samples } from '../../../support/gate/sample.ts';
import { APPLICATIONS } from '../../../support/looks/sound/applications.ts';
import { MOVING } from '../../../support/looks/sound/moving.ts';
import { SITES } from '../../../support/looks/sound/sites.ts';
import { TOOLS } from '../../../support/looks/sound/tools.ts';

const { anonymousPoints, keyPoints } = parseConfig({}, 'test').gate;

function pointsOf(files: SampleFiles): number {
  const bytes = Object.entries(files).map(([path, content]): [string, Uint8Array] => [path, Buffer.from(content)]);
  return assess(new Map(bytes), entryOf(Object.keys(files))).points;
}

/** Returns the names of the sites whose pages are held. */
const heldOf = (samples: Samples, bound = anonymousPoints) =>
  Object.keys(samples).filter((name) => pointsOf(samples[name] as SampleFiles) > bound);

const share = (part: readonly string[], whole: Samples) => part.length / Object.keys(whole).length;

describe.each(['known', 'heldOut'] as const)('of the half that is %s', (half) => {
  test('holds at least nine of ten kits', () => {
    expect(share(heldOf(KITS[half]), KITS[half])).toBeGreaterThanOrEqual(0.9);
  });

  test('holds no legitimate page', () => {
    expect(heldOf(LEGITIMATE[half])).toEqual([]);
  });
});

test('has a hundred legitimate pages, and fifty kits', () => {
  const count = ({ known, heldOut }: typeof KITS) => Object.keys({ ...known, ...heldOut }).length;
  expect(count(LEGITIMATE)).toBeGreaterThanOrEqual(100);
  expect(count(KITS)).toBeGreaterThanOrEqual(50);
});

test('holds the plainest kits of keys too, and no more pages than of anonymous callers', () => {
  const held = heldOf(KITS.known, keyPoints);
  expect(held).toContain('Outlook to a Telegram bot');
  expect(held.length).toBeLessThan(heldOf(KITS.known).length);
});

test('holds no site that is sound, and no answer of a model', () => {
  const sound = [...TOOLS, ...SITES, ...MOVING, ...APPLICATIONS].map(({ name, files }) => [name, files]);
  const folder = join(import.meta.dirname, '../../../support/answers');
  const answers = readdirSync(folder).map((name) => [name, answerFiles(readFileSync(join(folder, name), 'utf8'))]);
  expect(Object.keys(Object.fromEntries(answers)['finance.txt'])).toContain('index.html');
  expect(heldOf(Object.fromEntries([...sound, ...answers]))).toEqual([]);
});

/** Returns the files of an answer of a model. */
const answerFiles = (text: string): SampleFiles =>
  Object.fromEntries(
    Array.from(text.matchAll(/^<file path="([^"]+)">\n(.*?)^<\/file>/gms), ([, path, content]) => [path, content]),
  );
