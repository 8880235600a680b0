import { existsSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { LiveLines } from '../../terminal/live-lines.ts';
import { count, painter, sizeOf, spinner, success } from '../../terminal/text.ts';
import { makeFolder, outputPath, removeFolder } from '../../terminal/written-files.ts';
import { ProjectWriter } from '../folder/project-writer.ts';
import { contentOf } from '../folder/scan.ts';
import { checkManifest, type FolderSite, findSite, kindOf, type Manifest, manifestOf, nameOf } from '../folder/site.ts';
import { sourceManifest } from '../folder/source.ts';
import { labelOf, noticesOf } from './choose-files.ts';
import type { Context } from './context.ts';
import { explainBuild } from './problems.ts';

export interface BuildFolderOptions {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
}

/** `ptp build [dir]`: writes what a deploy of the source would publish. */
export async function build(dir: string, options: BuildFolderOptions, context: Context): Promise<void> {
  const folder = resolve(context.cwd, dir);
  const site = findSite(folder, { asIs: true });
  const out = options.out === undefined ? join(site.folder, 'dist') : outputPath(options.out, context.cwd);
  if (options.out !== undefined) checkOut(out, site, options.force);
  const manifest = sourceIn(site, out, context);
  for (const notice of noticesOf(manifest)) context.say(notice);
  const client = await context.client({ folder });
  const begin = performance.now();
  const files = manifest.files.map((file) => ({ path: file.path, content: contentOf(file) }));
  const env = Object.fromEntries((manifest.variables ?? []).map(({ name, value }) => [name, value]));
  const status = () => [`${spinner(performance.now())} Building ${count(files.length, 'file')}`];
  const live = context.isLive ? new LiveLines(context.stderr, status) : undefined;
  const built = await client
    .build({ files, env }, { signal: context.signal })
    .finally(() => live?.stop())
    .catch((error) => {
      throw explainBuild(error, folder, `${nameOf(out, context.cwd)} is as before`, context);
    });
  // It has what an earlier build wrote.
  if (options.out === undefined) removeFolder(out);
  makeFolder(out);
  const writer = new ProjectWriter(out, true);
  for (const { path, content, encoding } of built.files)
    writer.write(path, encoding === 'base64' ? Buffer.from(content, 'base64') : content);
  for (const warning of built.warnings) context.say(painter(context.color)('yellow', warning));
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  const size = `${count(built.files.length, 'file')}, ${sizeOf(built.bytes)}`;
  context.say(success(`Built ${labelOf(manifest.site, context)}: ${size} (${seconds} s)`, context));
  const { entry, bytes, packages, warnings } = built;
  const paths = built.files.map(({ path }) => path);
  const name = nameOf(out, context.cwd);
  context.result({ folder: out, entry, bytes, files: paths, packages, warnings }, (stdout) =>
    stdout.write(`${name}\n`),
  );
}

/** Returns the source of a folder, without what an earlier build wrote. @throws Error if there is nothing to build */
function sourceIn(site: FolderSite, out: string, context: Context): Manifest {
  const all = manifestOf(site, {});
  const manifest = { ...all, files: all.files.filter(({ file }) => !isIn(file, out)) };
  const found = kindOf(manifest);
  if (found.kind === 'refused') throw new Error(found.reason);
  const name = labelOf(site, context);
  if (found.kind === 'site')
    throw new Error(`There is nothing to build in ${name}: "ptp deploy" publishes it as it is`);
  const source = sourceManifest(manifest);
  checkManifest(source);
  return source;
}

const isIn = (file: string, folder: string) => file === folder || file.startsWith(folder + sep);

/** @throws Error for an output folder that has other files */
function checkOut(out: string, { folder }: FolderSite, force = false): void {
  if (isIn(folder, out)) throw new Error(`${out} is the project: name another folder with --out`);
  if (force || !existsSync(out) || readdirSync(out).length === 0) return;
  throw new Error(`${out} is not empty: name another folder with --out, or replace files with --force`);
}
