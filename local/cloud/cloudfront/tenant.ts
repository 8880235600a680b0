import * as z from 'zod';
import type { DnsRecords } from '../dns.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import type { Stack } from '../template/stack.ts';
import { noLocalEffect } from '../template/template.ts';
import type { Distribution, DistributionSettings, Entrance } from './distribution.ts';
import { EDGES, edgeOf, errorPage, Rollout } from './edges.ts';
import { Invalidations } from './invalidations.ts';
import { parametersOf } from './properties.ts';

/** The part of a tenant that updates change. */
export interface TenantState {
  readonly enabled: boolean;
  /** The certificate in use. */
  readonly certificateArn?: string | undefined;
}

/** A certificate that CloudFront requested from ACM. Times are Unix milliseconds. */
interface ManagedCertificate {
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
   * Returns the response to a viewer. A disabled tenant serves no traffic, and CloudFront does not respond to requests
   * for an inactive domain: like for a domain that it does not know.
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

const ConnectionGroupProperties = z.strictObject({
  Name: z.string(),
  Enabled: z.literal(true),
  Ipv6Enabled: noLocalEffect,
  Tags: noLocalEffect,
});

/** Names under it resolve to the visitor's own machine (RFC 6761, 6.3). */
const LOCALHOST = /(?:^|\.)localhost$/;

/** The endpoint that the domain names of tenants point to. */
interface ConnectionGroup {
  readonly id: string;
  readonly routingEndpoint: string;
}

/** The connection groups of the template. */
export class ConnectionGroups {
  private readonly groups: readonly ConnectionGroup[];
  private readonly dns: DnsRecords;

  constructor(groups: readonly ConnectionGroup[], dns: DnsRecords) {
    this.groups = groups;
    this.dns = dns;
  }

  find(id: string): ConnectionGroup | undefined {
    return this.groups.find((one) => one.id === id);
  }

  /**
   * Reports whether a domain name points to a connection group: by CNAME records, or, where an alias hides it, by a TXT
   * record. A name under `localhost` points to all of them, since it resolves to this machine.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/managed-cloudfront-certificates.html#complete-domain-ownership
   */
  isPointedToBy(domain: string, { routingEndpoint }: ConnectionGroup): boolean {
    if (LOCALHOST.test(domain)) return true;
    if (this.dns.target(domain) === routingEndpoint) return true;
    return this.dns.find(`_cf-challenge.${domain}`, 'TXT')?.includes(routingEndpoint) ?? false;
  }

  /** Reports whether requests for a host reach one of the connection groups. */
  receive(host: string): boolean {
    return host !== 'localhost' && this.groups.some((group) => this.isPointedToBy(host, group));
  }
}

/** Reads the connection groups of the template. */
export function readConnectionGroups(stack: Stack, dns: DnsRecords): ConnectionGroups {
  const groups = stack.all('AWS::CloudFront::ConnectionGroup', ConnectionGroupProperties);
  return new ConnectionGroups(
    groups.map(({ ref, attribute }) => ({ id: ref, routingEndpoint: attribute('RoutingEndpoint') })),
    dns,
  );
}
