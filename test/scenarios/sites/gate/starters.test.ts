import { compose } from '../../../../blueprints/engine/compose.ts';
import { PROMPTS } from '../../../../evaluate/prompts/index.ts';
import { DURATIONS } from '../../../../lambda/contract/generate.ts';
import { assess } from '../../../../lambda/sites/gate/gatekeeper.ts';
import { entryOf } from '../../../../lambda/sites/paths.ts';
import { parseConfig } from '../../../../lib/config.ts';
import { ONE_OF_EACH } from '../../../unit/blueprints/prompts.ts';

const { anonymousPoints } = parseConfig({}, 'test').gate;

/** Returns the points of the starter for a prompt. */
function pointsOf(prompt: string, duration: (typeof DURATIONS)[number]): number {
  const files = compose(prompt, duration, { data: { ownOrigins: true } }).map(
    ({ path, content }): [string, Uint8Array] => [path, Buffer.from(content)],
  );
  return assess(new Map(files), entryOf(files.map(([path]) => path))).points;
}

test('holds no starter of any kind and depth, and none of the prompts that evaluate has', () => {
  const prompts = [...ONE_OF_EACH, ...PROMPTS.map(({ text }) => text)];
  const held = prompts.flatMap((prompt) =>
    DURATIONS.filter((duration) => pointsOf(prompt, duration) > anonymousPoints).map(
      (duration) => `${prompt} (${duration})`,
    ),
  );
  expect(held).toEqual([]);
});
