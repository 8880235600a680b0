import { percentDecode } from '../aws-http.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import type { MethodSetting } from './properties.ts';
import type { GatewayResponseType, RequestContext } from './responses.ts';

export interface MethodRequest {
  readonly request: HttpRequest;
  /** Without the stage. */
  readonly path: string;
  readonly body: Buffer;
  readonly match: Match<unknown>;
  readonly context: RequestContext;
}

/** The backend of a method. */
export interface Integration {
  /** @throws IntegrationError */
  respond(methodRequest: MethodRequest): Promise<HttpResponse>;
}

/** An integration failed, so API Gateway sends a gateway response. */
export class IntegrationError extends Error {
  readonly type: GatewayResponseType;
  /** The context of the authorizer that denied the request. */
  readonly authorizer: RequestContext['authorizer'];

  constructor(type: GatewayResponseType, message: string, authorizer?: RequestContext['authorizer']) {
    super(message);
    this.type = type;
    this.authorizer = authorizer;
  }
}

/** A node of an API's resource tree. */
interface RouteResource {
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

interface Bucket {
  tokens: number;
  /** From `performance.now()`. */
  filledAt: number;
}

/**
 * The throttling of a stage: a token bucket for each method of each path, with the settings for that method or, by
 * default, for all (`/*` and `*`).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export class Throttle {
  private readonly settings: readonly MethodSetting[];
  private readonly buckets = new Map<string, Bucket>();
  private readonly clock: () => number;

  /** @param clock returns milliseconds */
  constructor(settings: readonly MethodSetting[], clock = () => performance.now()) {
    this.settings = settings.filter((one) => one.ThrottlingRateLimit !== undefined);
    this.clock = clock;
  }

  /**
   * Takes a token for a request. Returns false if there is none.
   * @param resourcePath with the names of parameters, such as `/things/{id}`
   */
  allows(method: string, resourcePath: string): boolean {
    const setting = this.find(resourcePath, method) ?? this.find('/*', '*');
    if (setting === undefined) return true;
    const { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 } = setting;
    const now = this.clock();
    const key = `${method} ${resourcePath}`;
    const { tokens, filledAt } = this.buckets.get(key) ?? { tokens: burst, filledAt: now };
    const filled = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    const isAllowed = filled >= 1;
    this.buckets.set(key, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed;
  }

  private find(resourcePath: string, method: string): MethodSetting | undefined {
    return this.settings.find((one) => one.ResourcePath === resourcePath && one.HttpMethod === method);
  }
}
