import { build } from '../../../lambda/builds/build.ts';
import type { Files } from '../../../lambda/builds/files.ts';
import { MemorySlot } from '../build-project.ts';
import { diskPackages } from '../disk-packages.ts';
import type { SoundProject } from './project.ts';

/** Builds source with the packages of this repository. */
export async function builtSite(files: Files): Promise<SoundProject['files']> {
  const input = { files, env: {}, preview: false, chosen: {} };
  const site = await build(input, diskPackages(), new MemorySlot());
  return Object.fromEntries(Array.from(site.files, ([path, content]) => [path, Buffer.from(content).toString()]));
}
