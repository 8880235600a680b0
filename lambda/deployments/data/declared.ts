import { createHash } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import { quote } from '../../contract/messages.ts';
import {
  type Declaration,
  declarationWarnings,
  needsOwnOrigin,
  parseDeclaration,
} from '../../sites/data/declaration.ts';
import { DATA_FILE, DeclarationError, parseJson } from '../../sites/data/declaration-text.ts';
import { countedUses, type DataUse, lineOf, undeclaredUse } from '../../sites/parts/data-uses.ts';
import { readHtml } from '../../sites/parts/html.ts';
import { readScript } from '../../sites/parts/javascript.ts';
import { languageOf } from '../../sites/parts/parts.ts';
import { newSiteData, type SiteData, siteOf } from '../../stored/data/site-data.ts';
import type { EndData, OwnedData } from '../../stored/data/site-data-table.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS, TOKEN_HEADER } from '../../stored/deployment-owner.ts';
import type { DataChange } from '../../stored/pointer-update.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** The `_data.json` of a version. */
interface Declared {
  readonly text: string;
  readonly hash: string;
  /** The names of its collections. */
  readonly collections: readonly string[];
  readonly warnings: readonly string[];
}

/** Returns the hash of a declaration: two files that differ in white space only have the same rules. */
export function rulesHash(text: string): string {
  const canonical = JSON.stringify(parseJson(text));
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
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
    ...declarationWarnings(declaration).map(({ message }) => `${DATA_FILE}: ${message}`),
    ...(hasOwnOrigin ? [] : sharedWarnings(files, declaration)),
  ];
  return { text, hash: rulesHash(text), collections: [...declaration.collections.keys()], warnings };
}

function parsed(text: string): Declaration {
  try {
    return parseDeclaration(text);
  } catch (error) {
    if (error instanceof DeclarationError) throw new ApiError('invalid_request', error.message);
    throw error;
  }
}

/** A response shows fewer, and each line is counted from the beginning of its file. */
const MOST_WARNINGS = 10;

/** The most bytes of files that a deploy reads for uses of data: 0.1 s. Longer scripts are libraries. */
const READ_BYTES = 1_000_000;

/**
 * Returns a warning for each collection that files use and the site does not declare, at its first use.
 * @param files as their author wrote them: the source of a site that is built
 * @param place where a project without the declaration would have it
 */
export function undeclaredWarnings(
  files: Files,
  declared: Pick<Declared, 'collections'> | undefined,
  place: string,
): string[] {
  const read = usesIn(files);
  const counted = new Set(countedUses(read.flatMap(({ uses }) => uses)));
  const warnings = new Map<string, string>();
  for (const { path, content, uses } of read)
    for (const use of uses) {
      const { collection = '', index } = use;
      const message = counted.has(use) ? undeclaredUse(use, declared?.collections, place) : undefined;
      if (message === undefined || warnings.has(collection)) continue;
      warnings.set(collection, `${path}: line ${lineOf(content, index)} ${message}`);
      if (warnings.size === MOST_WARNINGS) return [...warnings.values()];
    }
  return [...warnings.values()];
}

interface ReadFile {
  readonly path: string;
  readonly content: string;
  readonly uses: readonly DataUse[];
}

/** Reads the files that may use data; none if no file has a URL of it. */
function usesIn(files: Files): ReadFile[] {
  const has = (content: Uint8Array, text: string) =>
    Buffer.from(content.buffer, content.byteOffset, content.length).includes(text);
  if (![...files.values()].some((content) => has(content, '.data/'))) return [];
  let left = READ_BYTES;
  return [...files].flatMap(([path, bytes]) => {
    const language = languageOf(path);
    const mayUse = language !== undefined && (has(bytes, '.data/') || has(bytes, 'collection('));
    if (!mayUse || bytes.length > left) return [];
    left -= bytes.length;
    const content = new TextDecoder().decode(bytes);
    return [{ path, content, uses: (language === 'script' ? readScript(content) : readHtml(content)).data }];
  });
}

const topOf = (entry: string): string => entry.slice(0, entry.lastIndexOf('/') + 1);

/** Returns a warning if a `_data.json` has no effect: with data off, any; otherwise one that is not at the top. */
export function ignoredDeclarations(paths: Iterable<string>, entry: string, isOn: boolean): string[] {
  const top = topOf(entry) + DATA_FILE;
  const found = [...paths].filter((path) => path === DATA_FILE || path.endsWith(`/${DATA_FILE}`));
  if (found.length > 0 && !isOn)
    return [`${DATA_FILE} was ignored, because sites of this service have no data: its operator has turned it off`];
  const elsewhere = found.filter((path) => path !== top);
  if (elsewhere.length === 0) return [];
  return [`${elsewhere[0]} has no effect and is served as a file: only ${top}, beside the start page, declares data`];
}

/** A URL that begins at the origin, in an attribute, a string or a style. */
const FROM_ORIGIN = /["'`=(]\s{0,9}\/\.data\/[a-z]/;
const READ = /\.(?:html?|m?js)$/i;

function sharedWarnings(files: Files, { collections }: Declaration): string[] {
  if (collections.size === 0) return [];
  const decoder = new TextDecoder();
  const wrong = [...files].find(([path, content]) => READ.test(path) && FROM_ORIGIN.test(decoder.decode(content)))?.[0];
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

/**
 * Returns what a deploy does to the data of its site. Rules are access, not content: only the owner changes them, and without a
 * declaration the data stays with no rules.
 * @param before the deployment, unless it is new
 * @throws ApiError forbidden
 */
export function planData(
  declared: Pick<Declared, 'hash'> | undefined,
  before: Deployment | undefined,
  { owner, holdsToken }: { readonly owner: string; readonly holdsToken: boolean },
  now: number,
): DataChange {
  const was = before?.data;
  const isThere = before !== undefined && before.deletedAt === undefined;
  if (!isThere) return { was, is: declared && newSiteData(declared.hash, now) };
  const hash = declared?.hash ?? NO_DATA.hash;
  if (hash === (was?.rules ?? NO_DATA.hash)) return { was, is: was };
  if (owner === ANONYMOUS && !holdsToken) throw rulesError();
  return { was, is: was ? { ...was, rules: hash } : newSiteData(hash, now) };
}

function rulesError(): ApiError {
  return new ApiError(
    'forbidden',
    `The _data.json of this deploy is not the one of the deployment: whoever knows only the projectId cannot change what visitors may do. Send the ${TOKEN_HEADER} of the deployment, or deploy with the _data.json that it has; nothing was changed`,
  );
}

/** Returns the change of a deploy on a stage that has turned data off: a deleted deployment that is deployed again loses its data. */
export function planWithoutData(before: Deployment | undefined): DataChange | undefined {
  const was = before?.deletedAt === undefined ? undefined : before.data;
  return was && { was, is: undefined };
}

/** The data of a site after a deploy, and the text of its declaration, if it has one. */
export interface PlannedData {
  readonly change: DataChange;
  readonly text: string | undefined;
}

/** Stores what a change of a pointer refers to, before the pointer moves. */
export async function storeData(
  id: string,
  { change: { was, is }, text }: PlannedData,
  { table, endData }: { readonly table: Pick<OwnedData, 'putRules'> | undefined; readonly endData: EndData },
  now: number,
): Promise<void> {
  await Promise.all([
    is && is.rules !== sameSite(was, is)?.rules
      ? table?.putRules(siteOf(id, is), is.rules, text ?? NO_DATA.text)
      : undefined,
    was && is?.since !== was.since ? endData(siteOf(id, was), now) : undefined,
  ]);
}

const sameSite = (was: SiteData | undefined, is: SiteData) => (was?.since === is.since ? was : undefined);
