import { relative, resolve } from 'node:path/posix';
import {
  decodedMappings,
  encodedMappings,
  type SourceMapSegment,
  TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping';
import { type Files, splitQuery } from '../files.ts';

/** The modules of own code. */
export interface OwnSources {
  readonly project: Files;
  /** Returns the path that a file of the root folder has in the project. */
  readonly ownPath: (path: string) => string;
}

/** The members of a source map of Rolldown that are read. */
interface Mappings {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/**
 * Returns the source map (ECMA-426) of a minified chunk as JSON. Its sources are files of the project, relative to
 * `assets/`, where the map is; it has neither their text nor names. What a compiler added has no place.
 * @param minified the map from the minified chunk to the bundled one
 * @param bundled the map from the bundled chunk to the modules
 */
export function ownMap(minified: Mappings, bundled: Mappings, own: OwnSources): string {
  const modules = traceMap(bundled);
  const origins = modules.sources.map((source) => splitQuery(sourcePath(source ?? '')).path);
  const paths = [...new Set(origins)].filter((path) => own.project.has(path));
  const numbers = new Map(paths.map((path, index) => [path, index]));
  const mappings = decodedMappings(traceMap(minified)).map((segments) =>
    segments.map((segment): SourceMapSegment => {
      const [column] = segment;
      const found = segment.length === 1 ? null : traceSegment(modules, segment[2], segment[3]);
      if (found === null || found.length === 1) return [column];
      const number = numbers.get(origins[found[1]] ?? '');
      return number === undefined ? [column] : [column, number, found[2], found[3]];
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
