import { percentDecode } from '../aws-http.ts';

/** A node of an API's resource tree. */
export interface RouteResource {
  readonly id: string;
  readonly parentId: string;
  /** `name`, `{parameter}` or `{parameter+}` */
  readonly pathPart: string;
}

export interface Match<Method> {
  readonly resourceId: string;
  /** `/api/v1/things/{id}` */
  readonly resourcePath: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** By HTTP method, `ANY` among them; never empty. */
  readonly methods: ReadonlyMap<string, Method>;
}

interface Node<Method> {
  readonly id: string;
  readonly path: string;
  readonly pathPart: string;
  readonly children: Node<Method>[];
  readonly methods: Map<string, Method>;
}

/**
 * The resource tree of a REST API. The most specific resource wins: literal parts before parameters before greedy
 * parameters. Resources without methods do not match. A trailing slash is an empty last part, which matches neither
 * literals nor parameters.
 */
export class Routes<Method> {
  private readonly root: Node<Method>;
  private readonly byId = new Map<string, Node<Method>>();

  constructor(rootId: string, resources: readonly RouteResource[]) {
    this.root = { id: rootId, path: '', pathPart: '', children: [], methods: new Map() };
    this.byId.set(rootId, this.root);
    const grow = (parent: Node<Method>): void => {
      for (const { id, pathPart } of resources.filter(({ parentId }) => parentId === parent.id)) {
        const node = { id, pathPart, path: `${parent.path}/${pathPart}`, children: [], methods: new Map() };
        parent.children.push(node);
        this.byId.set(id, node);
        grow(node);
      }
      parent.children.sort((a, b) => rank(a.pathPart) - rank(b.pathPart));
    };
    grow(this.root);
  }

  add(resourceId: string, httpMethod: string, method: Method): void {
    const node = this.byId.get(resourceId);
    if (node === undefined) throw new Error(`The method ${httpMethod} belongs to no resource of its API`);
    node.methods.set(httpMethod, method);
  }

  /** Finds a method. `path` begins with a slash and is percent-encoded; the parameters are decoded. */
  match(path: string): Match<Method> | undefined {
    const parts = path === '/' ? [] : path.slice(1).split('/');
    const found = descend(this.root, parts, {});
    if (found === undefined) return undefined;
    const { node, parameters } = found;
    return {
      resourceId: node.id,
      resourcePath: node.path || '/',
      pathParameters: parameters,
      methods: node.methods,
    };
  }
}

type Parameters = Readonly<Record<string, string>>;

function descend<Method>(
  node: Node<Method>,
  parts: readonly string[],
  parameters: Parameters,
): { node: Node<Method>; parameters: Parameters } | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return node.methods.size > 0 ? { node, parameters } : undefined;
  for (const child of node.children) {
    const name = /^\{(.+?)\+?\}$/.exec(child.pathPart)?.[1];
    const greedy = child.pathPart.endsWith('+}');
    if (name === undefined ? child.pathPart !== percentDecode(part) : part === '') continue;
    const value = percentDecode(greedy ? parts.join('/') : part);
    const found = descend(
      child,
      greedy ? [] : rest,
      name === undefined ? parameters : { ...parameters, [name]: value },
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function rank(pathPart: string): number {
  if (!pathPart.startsWith('{')) return 0;
  return pathPart.endsWith('+}') ? 2 : 1;
}
