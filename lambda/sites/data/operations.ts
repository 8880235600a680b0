import { approveItem, changeItem, removeItem } from './change.ts';
import { clientResponse } from './client-module.ts';
import { type Changed, createItem } from './create.ts';
import { type Collection, OPERATIONS } from './declaration.ts';
import { problemResponse } from './form-page.ts';
import { DataProblem, type DataRequest, type DataResponse, isSameSite, jsonResponse, privately } from './http.ts';
import { countItems, listItems, readItem } from './read.ts';
import { type DataContext, mayDo } from './rules.ts';
import type { Item } from './store.ts';

export type { DataRequest } from './http.ts';
export type { DataContext } from './rules.ts';

/** The response to a request for data. */
export interface DataResult extends DataResponse {
  /** The item that the request created, or that an earlier one with its key did: then it is not new. */
  readonly created?: { readonly collection: Collection; readonly item: Item; readonly isNew: boolean };
}

/** What a URL below `.data/` does for each method. */
type Methods = {
  readonly [Method in 'GET' | 'POST' | 'PATCH' | 'DELETE']?: () => Promise<Changed> | Changed;
};

/** Responds to a request to the data of a site by its rules. */
export async function dataOperation(request: DataRequest, context: DataContext): Promise<DataResult> {
  try {
    const { collection, methods } = findTarget(request, context);
    const isHead = request.method === 'HEAD';
    const name = isHead ? 'GET' : request.method;
    const run = Object.hasOwn(methods, name) ? methods[name as keyof Methods] : undefined;
    if (run === undefined) throw notAllowed(methods);
    if (name !== 'GET' && !isSameSite(request.headers, context.origin))
      throw new DataProblem('forbidden', 'Data can only be changed from pages of the site');
    const { created, ...response } = await run();
    const sent = 'Cache-Control' in response.headers ? response : privately(response);
    if (isHead) return { ...sent, body: new Uint8Array() };
    return created && collection
      ? { ...sent, created: { collection, item: created.item, isNew: created.isNew } }
      : sent;
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return problemResponse(request, error, context.base);
  }
}

function findTarget(
  request: DataRequest,
  context: DataContext,
): { readonly collection?: Collection; readonly methods: Methods } {
  const [name = '', id, action, ...others] = request.path.split('/').map(decoded);
  if (id === undefined && name === '') return { methods: { GET: () => describe(context) } };
  if (id === undefined && name === 'client.js') return { methods: { GET: () => clientResponse(request) } };
  const collection = context.declaration.collections.get(name);
  if (collection === undefined)
    throw new DataProblem('not_found', `_data.json declares no collection ${name.slice(0, 40)}`);
  const methods = others.length > 0 ? undefined : methodsOf(collection, id, action, request, context);
  if (methods === undefined) throw new DataProblem('not_found', 'There is nothing at this path of the data');
  return { collection, methods };
}

function methodsOf(
  collection: Collection,
  id: string | undefined,
  action: string | undefined,
  request: DataRequest,
  context: DataContext,
): Methods | undefined {
  if (id === undefined)
    return {
      GET: () => listItems(collection, request, context),
      POST: () => createItem(collection, request, context),
    };
  if (action === 'approve') return { POST: () => approveItem(collection, id, request, context) };
  if (action !== undefined || id === '') return undefined;
  if (id === 'count' || id === 'tally') return { GET: () => countItems(collection, id, request, context) };
  return {
    GET: () => readItem(collection, id, request, context),
    PATCH: () => changeItem(collection, id, request, context),
    DELETE: () => removeItem(collection, id, request, context),
  };
}

/** Responds with what the caller may do, so that a page can show it. */
function describe(context: DataContext): DataResponse {
  const collections = [...context.declaration.collections.values()].map(
    (one) => [one.name, OPERATIONS.filter((operation) => mayDo(one, operation, context))] as const,
  );
  return jsonResponse(200, { owner: context.caller.owner, collections: Object.fromEntries(collections) });
}

function notAllowed(methods: Methods): DataProblem {
  const allowed = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const headers = { Allow: allowed.join(', ') };
  return new DataProblem('method_not_allowed', `The method must be ${allowed.join(' or ')}`, { headers });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
