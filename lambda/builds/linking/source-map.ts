import { relative, resolve } from 'node:path/posix';
import {
  decodedMappings,
  encodedMappings,
  type SourceMapSegment,
  TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping';
import { type Files, splitQuery, textOf } from '../files.ts';

/** The modules of own code. */
export interface OwnSources {
  readonly project: Files;
  /** The code of modules that are in no file, by id (`Page.scripts`). */
  readonly scripts: ReadonlyMap<string, string>;
  /** Returns the path that a file of the root folder has in the project. */
  readonly ownPath: (path: string) => string;
}

/** The members of a source map of Rolldown that are read. */
interface Mappings {
  readonly sources: readonly string[];
  readonly mappings: string;
}

interface Origin {
  readonly path: string;
  /** Lines of the file before the module, which can be a script in a page. */
  readonly linesBefore: number;
}

/**
 * Returns the source map (ECMA-426) of a minified chunk as JSON. Its sources are files of the project, relative to
 * `assets/`, where the map is; it has neither their text nor names. What a compiler added has no place.
 * @param minified the map from the minified chunk to the bundled one
 * @param bundled the map from the bundled chunk to the modules
 */
export function ownMap(minified: Mappings, bundled: Mappings, own: OwnSources): string {
  const modules = traceMap(bundled);
  const origins = modules.sources.map((source) => originOf(sourcePath(source ?? ''), own));
  const paths = [...new Set(origins.flatMap((origin) => origin?.path ?? []))];
  const numbers = new Map(paths.map((path, index) => [path, index]));
  const mappings = decodedMappings(traceMap(minified)).map((segments) =>
    segments.map((segment): SourceMapSegment => {
      const [column] = segment;
      const found = segment.length === 1 ? null : traceSegment(modules, segment[2], segment[3]);
      if (found === null || found.length === 1) return [column];
      const origin = origins[found[1]];
      const number = numbers.get(origin?.path ?? '');
      if (origin === undefined || number === undefined) return [column];
      return [column, number, found[2] + origin.linesBefore, found[3]];
    }),
  );
  const map = { version: 3 as const, sources: paths.map((path) => urlOf(own.ownPath(path))), names: [] };
  return JSON.stringify({ ...map, mappings: encodedMappings(new TraceMap({ ...map, mappings })) });
}

function urlOf(path: string): string {
  return `../${path.split('/').map(encodeURIComponent).join('/')}`;
}

function traceMap({ sources, mappings }: Mappings): TraceMap {
  return new TraceMap({ version: 3, sources: [...sources], names: [], mappings });
}

/** Returns the id of the module that a map of Rolldown calls so: it takes ids for paths below the working directory. */
export function sourcePath(source: string): string {
  return relative(resolve('/', relative('/', process.cwd())), resolve('/assets', source));
}

function originOf(id: string, { project, scripts }: OwnSources): Origin | undefined {
  const { path } = splitQuery(id);
  const text = textOf(project, path);
  if (text === undefined) return undefined;
  const script = scripts.get(id);
  if (script === undefined) return { path, linesBefore: 0 };
  const at = text.indexOf(script);
  return at < 0 ? undefined : { path, linesBefore: text.slice(0, at).split('\n').length - 1 };
}
