import type { HttpRequest, HttpResponse } from '../http.ts';
import type { ConnectionGroup } from './connection-groups.ts';
import type { Distribution, DistributionSettings, Entrance } from './distribution.ts';
import { errorPage } from './error-page.ts';
import { Invalidations } from './invalidations.ts';
import { parametersOf } from './parameters.ts';
import { EDGES, edgeOf } from './points-of-presence.ts';
import { Rollout } from './rollout.ts';

/** The part of a tenant that updates change. */
export interface TenantState {
  readonly enabled: boolean;
  /** The certificate in use. */
  readonly certificateArn?: string | undefined;
}

/** A certificate that CloudFront requested from ACM. Times are Unix milliseconds. */
export interface ManagedCertificate {
  readonly arn: string;
  /** It is issued then, if the domain still points to CloudFront. */
  readonly readyAt: number;
  issued: boolean;
}

/** A tenant as it is stored. Times are Unix milliseconds. */
export interface TenantRecord {
  readonly id: string;
  readonly name: string;
  readonly distributionId: string;
  readonly connectionGroupId: string;
  readonly domains: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly certificate: ManagedCertificate;
  modifiedAt: number;
}

/** A distribution tenant: a multi-tenant distribution with domain names, parameters and caches of its own. */
export class Tenant {
  readonly record: TenantRecord;
  /** Undefined where the tenant is not known yet. */
  readonly state: Rollout<TenantState | undefined>;
  readonly invalidations: Invalidations;
  private readonly distribution: Distribution;
  private readonly entrance: Entrance;

  /** @param state of a tenant that was created before; it is in effect at all edges */
  constructor(
    record: TenantRecord,
    distribution: Distribution,
    { routingEndpoint }: ConnectionGroup,
    settings: DistributionSettings,
    state?: TenantState,
  ) {
    this.record = record;
    this.distribution = distribution;
    const { TenantConfig: config = { ParameterDefinitions: [] } } = distribution.config;
    this.entrance = {
      endpoint: routingEndpoint,
      edges: distribution.newEdges(),
      parameters: parametersOf(config, record.parameters),
    };
    this.invalidations = new Invalidations(this.entrance.edges, settings.invalidationSeconds);
    this.state = new Rollout<TenantState | undefined>(state, EDGES, settings.updateSeconds);
  }

  get enabled(): boolean {
    return this.state.configured?.enabled ?? false;
  }

  /** A domain is active once a certificate covers it, and remains so. */
  get domainStatus(): 'active' | 'inactive' {
    return this.state.configured?.certificateArn === undefined ? 'inactive' : 'active';
  }

  /**
   * Returns the response to a viewer. A disabled tenant serves no traffic, and CloudFront does not respond to requests for an inactive
   * domain: like for a domain that it does not know.
   */
  async handle(request: HttpRequest): Promise<HttpResponse> {
    const state = this.state.at(edgeOf(request) ?? 0);
    if (!state?.enabled || state.certificateArn === undefined) return unknownDomain();
    return this.distribution.respondAt(this.entrance, request);
  }
}

/** The response to a request for a domain that no tenant serves. */
export function unknownDomain(): HttpResponse {
  return errorPage(
    403,
    "Bad request. We can't connect to the server for this app or website at this time: no distribution tenant serves this domain name.",
  );
}
