import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AssetOptions } from 'aws-cdk-lib/aws-s3-assets';
import { AssetHashType, DockerImage } from 'aws-cdk-lib/core';
import { type BuildOptions, buildSync } from 'esbuild';
import { addLocked, addPackages, type Platform } from './native-packages.ts';

/** Defines `require`, which some CommonJS dependencies call at run time. */
const BANNER = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/**
 * Modules that packages require only for an error message, or only if installed: Babel's `debug` loads a package for colors that
 * only development dependencies install.
 */
const OPTIONAL = ['@babel/preset-typescript/package.json', 'supports-color'];

/** The esbuild options of every function. */
const BUNDLING: BuildOptions = {
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Measured: preferring ES modules makes the smallest and fastest bundle.
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  banner: { js: BANNER },
  logLevel: 'warning',
};

/** The files beside the bundle. */
export interface BundleContents {
  /** Folders that the function reads at run time; they are copied. */
  readonly folders?: readonly string[];
  /** Other files that the function reads at run time, by their names beside the bundle. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of `node_modules` that the function reads at run time; they are copied. */
  readonly packageFiles?: readonly string[];
  /** Packages with native code, which is loaded from `node_modules`. */
  readonly native?: { readonly names: readonly string[]; readonly platform: Platform };
  /** Packages that do not work inside of a bundle; `packageFiles` has the files that they need. */
  readonly unbundled?: readonly string[];
  /** Folder of a manifest whose packages are for Lambda only. */
  readonly locked?: string;
}

/**
 * Bundles a handler with its dependencies, including the AWS SDK, into a folder: `index.mjs`, the chunks that it imports
 * dynamically, and `contents`.
 *
 * The CDK's NodejsFunction writes a single file: every cold start would parse the dynamic imports, and their wrappers break
 * the evaluation order of modules with cycles.
 * @param entry path of the module that exports `handler`
 */
export function bundle(
  entry: string,
  { folders = [], files = {}, packageFiles = [], native, unbundled = [], locked }: BundleContents,
  outdir: string,
): void {
  const external = [...OPTIONAL, ...(native?.names ?? []), ...unbundled];
  buildOnce({ entryPoints: { index: entry }, ...BUNDLING, external }, outdir);
  for (const folder of folders) {
    // Modules are in the bundle already.
    cpSync(folder, join(outdir, basename(folder)), {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  }
  for (const [name, path] of Object.entries(files)) cpSync(path, join(outdir, name));
  if (native) addPackages(native.names, native.platform, outdir);
  if (locked !== undefined) addLocked(locked, outdir);
  for (const file of packageFiles) cpSync(join('node_modules', file), join(outdir, 'node_modules', file));
}

/**
 * Builds into a folder, or copies what an earlier synthesis built with the same options. The folder `CDK_BUNDLES` has results of the
 * same sources: `local/synth.ts` names it by their hash. Without the variable, as for `cdk deploy`, everything is built.
 */
export function buildOnce(options: BuildOptions, outdir: string): void {
  const { CDK_BUNDLES: folder } = process.env;
  if (folder === undefined) {
    buildSync({ ...options, outdir });
    return;
  }
  const built = join(folder, createHash('sha256').update(JSON.stringify(options)).digest('hex'));
  if (!existsSync(built)) {
    const unfinished = join(folder, randomUUID());
    mkdirSync(unfinished, { recursive: true });
    buildSync({ ...options, outdir: unfinished });
    renameSync(unfinished, built);
  }
  cpSync(built, outdir, { recursive: true });
}

/**
 * Returns the options of an asset that synthesis makes: `write` gets the folder in the cloud assembly. The CDK calls that
 * bundling, and skips it for commands that do not need the content, such as `cdk destroy`.
 * @param name differs from those of other assets with the same source folder
 */
export const generatedAsset = (name: string, write: (outdir: string) => void): AssetOptions => ({
  assetHashType: AssetHashType.OUTPUT,
  bundling: {
    // Never started, since the local bundling always succeeds or throws.
    image: DockerImage.fromRegistry('unused'),
    command: [name],
    local: {
      tryBundle(outdir) {
        write(outdir);
        return true;
      },
    },
  },
});
