import { posix } from 'node:path';
import semver from 'semver';
import type { BuildProblem } from '../../contract/builds.ts';
import { dependencyNames } from '../../sites/source/kind.ts';
import { readVariables } from '../../sites/source/variables.ts';
import { type Files, textOf } from '../files.ts';
import { membersIn } from '../json.ts';
import { record, targetsFor } from '../packages/manifest.ts';
import { CONDITIONS } from '../packages/resolver.ts';
import { problemAtOffset } from '../problems.ts';
import { warnOfPostcss } from './postcss-config.ts';
import type { Alias, ProjectConfig, TailwindSetting } from './settings.ts';
import { readTsconfig } from './tsconfig.ts';
import type { Warn } from './values.ts';
import { readViteConfig } from './vite-config.ts';

/**
 * Returns what the configuration files of a project say.
 * @param files with the paths that they have from the root folder
 * @param root that folder in the project, such as `client/`
 * @param env of the deploy
 */
export function readProjectConfig(files: Files, root = '', env: Readonly<Record<string, string>> = {}): ProjectConfig {
  const warnings: BuildProblem[] = [];
  const warn: Warn = (at, message) => warnings.push(problemAtOffset(files, message, at));
  const variables = readVariables(files, env);
  const vite = readViteConfig(files, variables, warn);
  const typescript = readTsconfig(files, warn);
  warnOfPostcss(files, warn);
  return {
    root,
    base: vite.base,
    dependencies: new Set(dependencyNames(textOf(files, 'package.json') ?? '')),
    variables: vite.base === './' ? new Map([...variables, ['BASE_URL', './']]) : variables,
    aliases: atRoot([...vite.aliases, ...typescript.aliases, ...importsOf(files), ...workspacesOf(files)], root),
    extensions: vite.extensions,
    define: vite.define,
    localsConvention: vite.localsConvention,
    vue: vite.vue,
    svgr: vite.svgr,
    jsx: { ...typescript.jsx, ...(vite.jsxImportSource && { jsxImportSource: vite.jsxImportSource }) },
    tailwind: tailwindOf(files),
    warnings,
  };
}

/** A configuration above the root folder has it in the paths of its aliases. */
function atRoot(aliases: readonly Alias[], root: string): Alias[] {
  const fromRoot = (target: string) => (target.startsWith(`/${root}`) ? target.slice(root.length) : target);
  return aliases.map(({ pattern, targets }) => ({ pattern, targets: targets.map(fromRoot) }));
}

const CONFIGS = ['ts', 'js', 'cjs', 'mjs', 'mts', 'cts'].map((extension) => `tailwind.config.${extension}`);

/**
 * Returns which Tailwind a project uses: by the directives of its style sheets, which say it for certain, or else by
 * the range of package.json, or by its configuration.
 */
function tailwindOf(files: Files): TailwindSetting | undefined {
  const version = versionOfSheets(files) ?? versionOfPackage(files);
  const config = CONFIGS.find((path) => files.has(path));
  if (version === undefined && config === undefined) return undefined;
  return config === undefined ? { version: version ?? 4 } : { version: version ?? 3, config };
}

function versionOfSheets(files: Files): 3 | 4 | undefined {
  let directives: 3 | 4 | undefined;
  for (const [path, bytes] of files) {
    if (/\.(css|vue|svelte)$/.test(path)) {
      const css = new TextDecoder().decode(bytes);
      if (/@tailwind\s{1,9}(base|components)\b|@import\s{1,9}["']tailwindcss\/(base|components)["']/.test(css)) {
        directives = 3;
      } else if (/@import\s{1,9}(url\()?["']tailwindcss(\/[a-z.]{1,20})?["']|@theme\b|@reference\b/.test(css)) {
        return 4;
      }
    }
  }
  return directives;
}

function versionOfPackage(files: Files): 3 | 4 | undefined {
  const { dependencies, devDependencies } = manifestOf(files);
  // Invalid ranges are reported where packages are chosen.
  const range = record(dependencies).tailwindcss ?? record(devDependencies).tailwindcss;
  if (typeof range !== 'string') return undefined;
  const lowest = semver.validRange(range) ? semver.minVersion(range) : null;
  return lowest && lowest.major > 0 && lowest.major < 4 ? 3 : 4;
}

/** Returns the `imports` of package.json as aliases: specifiers that begin with `#`. */
function importsOf(files: Files): Alias[] {
  return Object.entries(record(manifestOf(files).imports)).map(([pattern, value]) => ({
    pattern,
    targets: importTargets(value).map((target) => target.replace(/^\.\//, '/')),
  }));
}

/**
 * Returns the packages that are folders of the project as aliases of their sources: what `exports` or `main` names, or
 * else `src/index`, since the output of their builds is seldom there.
 */
function workspacesOf(files: Files): Alias[] {
  const paths = [...files.keys()].filter((path) => path.endsWith('package.json'));
  const manifests = paths.map((path) => ({ path, manifest: manifestOf(files, path) }));
  const declared = new Set(
    manifests.flatMap(({ manifest: { dependencies, devDependencies } }) =>
      [dependencies, devDependencies].flatMap((section) => Object.keys(record(section))),
    ),
  );
  return manifests.flatMap(({ path, manifest }) => {
    const { name, exports, module, main } = manifest;
    const isPackage = path.includes('/') && typeof name === 'string';
    if (!isPackage || !(manifest.private === true || declared.has(name))) return [];
    const inFolder = (target: unknown) => posix.join('/', posix.dirname(path), String(target));
    const subpaths = Object.entries(record(exports)).filter(([subpath]) => subpath.startsWith('./'));
    const whole = subpaths.length > 0 || record(exports)['.'] ? record(exports)['.'] : exports;
    const sources = [...importTargets(whole), module, main].filter((target) => typeof target === 'string');
    return [
      { pattern: name, targets: [...sources, 'src/index', 'index'].map(inFolder) },
      ...subpaths.map(([subpath, value]) => ({
        pattern: posix.join(name, subpath),
        targets: importTargets(value).map(inFolder),
      })),
      { pattern: `${name}/*`, targets: [inFolder('*')] },
    ];
  });
}

const importTargets = (value: unknown) => targetsFor(CONDITIONS, value);

/** The members of a package.json; none if it is not valid, which is reported where packages are chosen. */
const manifestOf = (files: Files, path = 'package.json') => membersIn(textOf(files, path));
