import { ApiError } from '../../contract/errors.ts';
import { quote } from '../../contract/messages.ts';
import {
  DATA_FILE,
  type Declaration,
  declarationWarnings,
  needsOwnOrigin,
  parseDeclaration,
} from '../../sites/data/declaration.ts';
import { DeclarationError } from '../../sites/data/declaration-error.ts';
import { rulesHash } from '../../sites/data/rules-hash.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** The `_data.json` of a version. */
export interface Declared {
  readonly text: string;
  readonly hash: string;
  readonly warnings: readonly string[];
}

/** The declaration of a site without `_data.json`. */
export const NO_DATA = { text: '{}', hash: rulesHash('{}') } as const;

/** A name that a path of the API has. */
const DATA_FOLDER = /(?:^|\/)\.data(?:\/|$)/i;

/** @throws ApiError invalid_request for a file where the data of the site is served */
export function refuseDataFiles(paths: readonly string[]): void {
  const found = paths.find((path) => DATA_FOLDER.test(path));
  if (found !== undefined)
    throw new ApiError(
      'invalid_request',
      `The path ${quote(found)} is in a folder .data, where the service has the data of the site: give the folder another name`,
    );
}

/**
 * Returns the declaration of the site that visitors will see, or undefined without one.
 * @param files those that visitors see
 * @param entry the path of the start page, whose folder is the top of the site
 * @throws ApiError invalid_request with the mistake, or for a rule that the site's origin does not allow
 */
export function declaredData(files: Files, entry: string, hasOwnOrigin: boolean): Declared | undefined {
  const content = files.get(topOf(entry) + DATA_FILE);
  if (content === undefined) return undefined;
  const text = new TextDecoder().decode(content);
  const declaration = parsed(text);
  const rule = needsOwnOrigin(declaration);
  if (rule !== undefined && !hasOwnOrigin)
    throw new ApiError(
      'invalid_request',
      `${DATA_FILE}: ${rule} needs to recognize visitors, and pages of this service share one origin, on which other pages could act as them. Use visitor or owner instead, or add a domain to the deployment first; the operator can give pages their own origins with siteDomain`,
    );
  const warnings = [
    ...declarationWarnings(declaration),
    ...(hasOwnOrigin ? [] : sharedWarnings(files, declaration)),
  ];
  return { text, hash: rulesHash(text), warnings };
}

function parsed(text: string): Declaration {
  try {
    return parseDeclaration(text);
  } catch (error) {
    if (error instanceof DeclarationError) throw new ApiError('invalid_request', error.message);
    throw error;
  }
}

const topOf = (entry: string): string => entry.slice(0, entry.lastIndexOf('/') + 1);

/** Returns a warning for each `_data.json` that does not count: with data off any, otherwise those that are not at the top. */
export function ignoredDeclarations(paths: Iterable<string>, entry: string, isOn: boolean): string[] {
  const top = topOf(entry) + DATA_FILE;
  const found = [...paths].filter((path) => path === DATA_FILE || path.endsWith(`/${DATA_FILE}`));
  if (found.length === 0) return [];
  if (!isOn)
    return [
      `${DATA_FILE} was ignored, because sites of this service have no data: its operator has turned it off`,
    ];
  if (found.includes(top)) return [];
  return [`${found[0]} was ignored, because it is not beside the start page: the site's top is ${top}`];
}

/** A URL that begins at the origin, in an attribute, a string or a style. */
const FROM_ORIGIN = /["'`=(]\s{0,9}\/\.data\/[a-z]/;
const READ = /\.(?:html?|m?js)$/i;

function sharedWarnings(files: Files, { collections }: Declaration): string[] {
  if (collections.size === 0) return [];
  const decoder = new TextDecoder();
  const wrong = [...files].find(
    ([path, content]) => READ.test(path) && FROM_ORIGIN.test(decoder.decode(content)),
  )?.[0];
  return [
    ...(wrong === undefined
      ? []
      : [`${wrong} refers to /.data/, which is not below the site: use ./.data/ without the leading slash`]),
    'Sites of this service share one origin: scripts of other sites can do what visitors of this one may do with its data',
  ];
}

/** The folders of a project whose files are published as they are. */
const PUBLISHED = ['', 'public/', 'static/'];

/**
 * Returns the declaration among the files of a project that is built.
 * @param root the folder of the project with its page
 */
export function sourceDeclaration(source: Files, root: string): Uint8Array | undefined {
  const paths = [root, ''].flatMap((top) => PUBLISHED.map((folder) => top + folder + DATA_FILE));
  return paths.map((path) => source.get(path)).find((content) => content !== undefined);
}
