import * as z from 'zod';
import type { DnsRecords } from '../dns/records.ts';
import { noLocalEffect } from '../template/schema.ts';
import type { Stack } from '../template/stack.ts';

const ConnectionGroupProperties = z.strictObject({
  Name: z.string(),
  Enabled: z.literal(true),
  Ipv6Enabled: noLocalEffect,
  Tags: noLocalEffect,
});

/** Names under it resolve to the visitor's own machine (RFC 6761, 6.3). */
const LOCALHOST = /(?:^|\.)localhost$/;

/** Where the domain names of tenants point to. */
export interface ConnectionGroup {
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
   * Reports whether a domain name points to a connection group: by CNAME records, or, where an alias hides it, by a TXT record. A name
   * under `localhost` points to all of them, since it resolves to this machine.
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
