import type { BuildProblem } from '../../contract/builds.ts';
import { type Files, textOf } from '../files.ts';
import { BuildError } from '../problem.ts';
import { type JsonSource, memberOffset, parseJson, problemAt } from './json-source.ts';
import { type LockFile, readLockFile } from './lock-file.ts';
import { record, texts } from './manifest.ts';

/** What the files of a project say about packages. */
export interface Project {
  /** What package.json asks for, by name. */
  readonly specs: ReadonlyMap<string, string>;
  /** What package.json asks for if a package needs these names. */
  readonly overrides: ReadonlyMap<string, string>;
  readonly lock: LockFile | undefined;
  readonly warnings: readonly string[];
  /** Returns a problem with the line of package.json that has this dependency. */
  problem(name: string, message: string): BuildProblem;
}

/** In the order in which they win. */
const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Reads package.json and package-lock.json.
 * @throws BuildError if one of them is invalid, with its line
 */
export function readProject(files: Files): Project {
  const source = sourceOf(files, 'package.json');
  const manifest = source === undefined ? {} : objectOf(source);
  const specs = new Map<string, string>();
  for (const section of SECTIONS) {
    for (const [name, spec] of texts(manifest[section])) {
      if (!specs.has(name)) specs.set(name, spec);
    }
  }
  const overrides = new Map<string, string>();
  for (const [name, spec] of texts(manifest.overrides)) {
    const override = spec.startsWith('$') ? specs.get(spec.slice(1)) : spec;
    if (override !== undefined) overrides.set(name, override);
  }
  const lockSource = sourceOf(files, 'package-lock.json');
  const { lock, warnings } =
    lockSource === undefined ? { lock: undefined, warnings: [] } : readLockFile(lockSource);
  return {
    specs,
    overrides,
    lock,
    warnings,
    problem: (name, message) => {
      const offset = source && dependencyOffset(source.text, name);
      return source && offset !== undefined ? problemAt(source, offset, message) : { message };
    },
  };
}

/** Where package.json has a dependency: a member of that name after the first section. */
function dependencyOffset(text: string, name: string): number | undefined {
  const starts = SECTIONS.map((section) => memberOffset(text, section)).filter((at) => at !== undefined);
  return starts.length === 0 ? undefined : memberOffset(text, name, Math.min(...starts));
}

function objectOf(source: JsonSource): Readonly<Record<string, unknown>> {
  const value = parseJson(source);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return record(value);
  throw new BuildError([problemAt(source, 0, 'Expected an object')]);
}

function sourceOf(files: Files, path: string): JsonSource | undefined {
  const text = textOf(files, path);
  return text === undefined ? undefined : { path, text };
}
