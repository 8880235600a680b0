import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';

/** What a request for data is for. */
export interface Target {
  /** Of the deployment. */
  readonly id: string;
  /** Whether the site has the origin for itself. */
  readonly isOwn: boolean;
  /** What follows the id, as it was sent; begins with a slash. */
  readonly rest: string;
  /** Where `.data/` is below the site: an empty text, or with a slash at its end. */
  readonly folder: string;
  /** What follows `.data/`. */
  readonly path: string;
}

/** `/data/d/<id>/…` or `/data/own/<id>/…`, which CloudFront makes of the path below the base URL, or on the site's own origin. */
const PATH = /^\/data\/(d|own)\/([^/]+)(\/.*)$/s;

const MARK = '/.data/';

/** Returns what a path is for; undefined if it is for nothing. */
export function parseTarget(requestPath: string): Target | undefined {
  const [, kind, id = '', rest = ''] = PATH.exec(requestPath) ?? [];
  const mark = rest.indexOf(MARK);
  if (!DEPLOYMENT_ID.test(id) || mark < 0) return undefined;
  const path = rest.slice(mark + MARK.length);
  return { id, isOwn: kind === 'own', rest, folder: rest.slice(1, mark + 1), path };
}

/** Reports if the response to a request needs the state of the site: a list, a count or a tally. */
export function readsState({ path }: Pick<Target, 'path'>, method: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && path !== 'owner' && /^[a-z][a-z0-9-]*(\/(count|tally))?$/.test(path);
}
