import { setTimeout } from 'node:timers/promises';
import type { BuildOutput, VendorSlot } from '../../lambda/builds/context.ts';
import { buildHandler } from '../../lambda/builds/handle-build.ts';
import { BuildError } from '../../lambda/builds/problems.ts';
import type { BuildInput } from '../../lambda/sites/source/build.ts';

let builds = 0;

/** The handler of the build function with a build that does what a file of the project says. */
export const handler = buildHandler(async (input, vendor) => {
  builds += 1;
  const mode = Buffer.from(input.files.get('mode') ?? []).toString();
  // Longer than a caller waits for a slot.
  if (mode === 'wait') await setTimeout(3_000);
  if (mode === 'hang') await setTimeout(60_000);
  if (mode === 'exit') process.exit(139);
  if (mode === 'throw') throw new TypeError('a mistake of the engine');
  if (mode === 'many')
    throw new BuildError(Array.from({ length: 30 }, (_, i) => ({ message: `Problem ${i}` })));
  if (mode === 'large') throw new BuildError([{ message: 'The site has 11 MB' }], 'payload_too_large');
  if (mode === 'offline') throw new BuildError([{ message: 'The registry is down' }], 'unavailable');
  if (mode === 'broken')
    throw new BuildError([{ message: 'Unexpected }', path: 'a.ts', line: 3, column: 7 }]);
  return site(input, vendor);
});

/** Returns a site that says what it was made of. */
async function site({ files, env, preview, chosen }: BuildInput, vendor: VendorSlot): Promise<BuildOutput> {
  const earlier = await vendor.read();
  await vendor.write(Buffer.from(`packages of build ${builds}`));
  const about = {
    paths: [...files.keys()],
    env,
    preview,
    chosen,
    earlier: earlier && String(Buffer.from(earlier)),
    builds,
  };
  const content = Buffer.from(JSON.stringify(about));
  return {
    files: new Map([['index.html', content]]),
    report: { files: 1, bytes: content.length, packages: { react: '19.0.0' }, warnings: [] },
  };
}
