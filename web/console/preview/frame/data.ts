import { CLIENT_MODULE } from '../../../../lambda/sites/data/client-module.ts';
import { DATA_FILE } from '../../../../lambda/sites/data/declaration-text.ts';
import { TrialData } from '../../../../lambda/sites/data/trial.ts';
import { DATA_CLIENT, dataPathOf, entryOf } from '../../../../lambda/sites/paths.ts';
import type { Files, PreviewStart } from '../messages.ts';

/** The data of a project's visitors in memory, which all pages of the preview share. */
export interface PreviewData {
  /** The files of the project with the client of its data, in each folder from which one is imported. */
  readonly files: Files;
  has(url: URL): boolean;
  /** Responds to a request of a script. */
  respond(url: URL, request: Request): Promise<Response>;
  /** Responds to a form without a script. */
  submit(url: URL, request: Request, pageUrl: string): Promise<Response>;
}

/**
 * Returns the data of a project, or undefined without a declaration that a deploy would take.
 * @param save is told of all data after each change
 */
export function previewData(
  { files, data: saved }: Pick<PreviewStart, 'files' | 'data'>,
  origin: string,
  save: (data: string) => void,
): PreviewData | undefined {
  const entry = entryOf([...files.keys()]);
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  const declaration = files.get(root + DATA_FILE);
  const text = declaration instanceof Uint8Array ? new TextDecoder().decode(declaration) : declaration;
  const data = TrialData.of(text, Date.now);
  if (data === undefined) return undefined;
  if (saved !== '') data.restore(saved);
  const respond = async (url: URL, request: Request, more: Readonly<Record<string, string>>) => {
    const body = new Uint8Array(await request.arrayBuffer());
    const headers = { ...Object.fromEntries(request.headers), ...more };
    const response = await data.respond(url, { method: request.method, headers, body }, { origin, base: '/' });
    if (request.method !== 'GET') save(data.save());
    if (response === undefined) return new Response('Not found', { status: 404 });
    const isEmpty = response.status === 204 || response.status === 304;
    return new Response(isEmpty ? null : (response.body as BodyInit), {
      status: response.status,
      headers: { ...response.headers },
    });
  };
  return {
    files: withClient(files, root),
    has: (url) => url.origin === origin && dataPathOf(url.pathname) !== undefined,
    respond: (url, request) => respond(url, request, { 'sec-fetch-mode': 'cors' }),
    submit: (url, request, pageUrl) =>
      respond(url, request, {
        'sec-fetch-mode': 'navigate',
        'accept-language': navigator.language,
        referer: pageUrl,
      }),
  };
}

function withClient(files: Files, root: string): Files {
  const folders = [...files.keys()]
    .filter((path) => path.startsWith(root) && /\.(?:html?|[cm]?js)$/i.test(path))
    .map((path) => path.slice(0, path.lastIndexOf('/') + 1));
  const clients = [...new Set([root, ...folders])].map(
    (folder) => [`${folder}.data/${DATA_CLIENT}`, CLIENT_MODULE] as const,
  );
  return new Map([...files, ...clients]);
}
