import { type HttpRequest, header } from '../http.ts';

/** The points of presence of a distribution, each with a cache of its own. */
export const EDGES = 5;

/** Selects the edge of a local viewer. On AWS, the viewer's location does. */
export const EDGE_HEADER = 'x-local-edge';

/** Returns the edge that a request reaches: the one that its `X-Local-Edge` names, otherwise the first. Undefined for an invalid one. */
export function edgeOf({ headers }: HttpRequest): number | undefined {
  const named = header(headers, EDGE_HEADER) ?? '0';
  const edge = Number(named);
  return /^\d$/.test(named) && edge < EDGES ? edge : undefined;
}
