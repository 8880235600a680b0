import semver from 'semver';
import { isPackageName } from './manifest.ts';

/** Which versions package.json asks for. */
export interface Specifier {
  /** The name at the registry: of the alias `npm:react@18`, `react`. */
  readonly name: string;
  /** A range of versions, or a tag such as `next`. */
  readonly range: semver.Range | string;
}

/** No range that anybody writes is longer; reading one takes time for each of its parts. */
const MAX_LENGTH = 256;

/**
 * Reads the version of a dependency (https://docs.npmjs.com/cli/configuring-npm/package-json#dependencies).
 * @returns undefined for what is not of the registry: git, file, link, workspace, catalog and URLs
 */
export function readSpecifier(name: string, spec: string): Specifier | undefined {
  const text = spec.trim();
  if (text.length > MAX_LENGTH) return undefined;
  if (text.startsWith('npm:')) {
    const at = text.indexOf('@', 'npm:'.length + 1);
    const alias = text.slice('npm:'.length, at < 0 ? undefined : at);
    const range = at < 0 ? '*' : text.slice(at + 1);
    return isPackageName(alias) && !range.startsWith('npm:') ? readSpecifier(alias, range) : undefined;
  }
  const range =
    semver.validRange(text, { loose: true }) === null ? undefined : new semver.Range(text, { loose: true });
  if (range) return { name, range };
  return /^[A-Za-z][\w.-]*$/.test(text) ? { name, range: text } : undefined;
}

/** Reports if a version is in the range. A tag allows every version, since the registry moves it. */
export function isInRange(version: string, { range }: Specifier): boolean {
  return typeof range === 'string' || range.test(version);
}
