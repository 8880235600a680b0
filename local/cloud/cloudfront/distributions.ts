import type { DnsRecords } from '../dns.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { readWebAcls } from '../waf.ts';
import { readBehavior } from './behavior.ts';
import { Distribution, type DistributionSettings } from './distribution.ts';
import { CloudFrontFunction, withoutPort } from './function.ts';
import { Origins, type Services } from './origins.ts';
import { Policies } from './policies.ts';
import { DistributionProperties, FunctionProperties } from './properties.ts';
import { readConnectionGroups, unknownDomain } from './tenant.ts';
import { Tenants } from './tenants.ts';

/** The service that responds to the requests for a host. */
interface HttpService {
  handle(request: HttpRequest): Promise<HttpResponse>;
}

const UNKNOWN_DOMAIN: HttpService = { handle: async () => unknownDomain() };

/** The distributions of the template. */
export class Distributions {
  readonly main: Distribution;
  readonly tenants: Tenants;
  private readonly all: readonly Distribution[];
  private readonly accountId: string;

  /** @param main the distribution with the domain name of the front door */
  constructor(main: Distribution, all: readonly Distribution[], tenants: Tenants, accountId: string) {
    this.main = main;
    this.all = all;
    this.tenants = tenants;
    this.accountId = accountId;
  }

  find(id: string): Distribution | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** Returns the ARN of a distribution, even if it does not exist. */
  arn(id: string): string {
    return distributionArn(this.accountId, id);
  }

  /**
   * Returns what serves a host: a distribution, or a tenant of one. The most specific alias wins. A wildcard matches
   * one label, as in the certificate that the alias needs. Names that point to a connection group are those of tenants
   * only; the main distribution serves the others, such as that of a proxy in front of the local cloud.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/CNAMEs.html
   */
  forHost(host: string): HttpService {
    const name = withoutPort(host).toLowerCase();
    const named = (alias: string) => this.all.find(({ aliases }) => aliases.includes(alias));
    const served = named(name) ?? named(name.replace(/^[^.]+/, '*')) ?? this.tenants.findByDomain(name);
    return served ?? (this.tenants.receive(name) ? UNKNOWN_DOMAIN : this.main);
  }
}

/** Reads the template's distributions. The main distribution is the one without wildcard alias. */
export function readDistributions(
  stack: Stack,
  services: Services,
  settings: DistributionSettings,
  { dns, tenantsFile }: { readonly dns: DnsRecords; readonly tenantsFile: string },
): Distributions {
  const { accountId, frontDoor } = stack.target;
  const policies = new Policies(stack);
  const origins = new Origins(stack, services);
  const functions = readFunctions(stack, settings.log);
  const webAcls = readWebAcls(stack);
  const read = (resource: Resource<DistributionProperties>) => {
    const config = resource.properties.DistributionConfig;
    const arn = distributionArn(accountId, resource.ref);
    const behaviors = [...config.CacheBehaviors, { ...config.DefaultCacheBehavior, PathPattern: '*' }].map(
      (properties) => readBehavior(properties, config, policies, functions, (origin) => origins.find(origin, arn)),
    );
    // One that the template does not have, such as an operator's, is not known here.
    const webAcl = webAcls.get(config.WebACLId ?? '');
    // A multi-tenant distribution has none.
    const domainName = config.ConnectionMode === 'direct' ? resource.attribute('DomainName') : '';
    return new Distribution(resource.ref, domainName, config, behaviors, { ...settings, webAcl });
  };
  const all = stack.all('AWS::CloudFront::Distribution', DistributionProperties).map(read);
  const mains = all.filter(({ domainName }) => domainName === frontDoor);
  const [main] = mains;
  if (main === undefined || mains.length > 1) {
    throw new Error(
      `The local cloud needs exactly one AWS::CloudFront::Distribution without a wildcard in its Aliases; the template has ${mains.length}`,
    );
  }
  const groups = readConnectionGroups(stack, dns);
  const tenants = new Tenants({ accountId, file: tenantsFile, distributions: all, groups, settings });
  return new Distributions(main, all, tenants, accountId);
}

function readFunctions(stack: Stack, log: (line: string) => void): ReadonlyMap<string, CloudFrontFunction> {
  const functions = stack.all('AWS::CloudFront::Function', FunctionProperties);
  return new Map(
    functions.map(({ ref, logicalId, properties }) => [
      ref,
      new CloudFrontFunction(logicalId, properties.FunctionCode, (line) => log(`  ${logicalId} ${line}`)),
    ]),
  );
}

function distributionArn(accountId: string, id: string): string {
  return `arn:aws:cloudfront::${accountId}:distribution/${id}`;
}
