import type { Resource, Stack } from '../template/stack.ts';
import { readWebAcls } from '../waf/web-acl.ts';
import { readBehavior } from './behavior.ts';
import { Distribution, type DistributionSettings } from './distribution.ts';
import { CloudFrontFunction } from './function.ts';
import { withoutPort } from './host.ts';
import { Origins, type Services } from './origins.ts';
import { Policies } from './policies.ts';
import { DistributionProperties, FunctionProperties } from './properties.ts';

/** The distributions of the template. */
export class Distributions {
  private readonly main: Distribution;
  private readonly all: readonly Distribution[];
  private readonly accountId: string;

  /** @param main the distribution with the domain name of the front door */
  constructor(main: Distribution, all: readonly Distribution[], accountId: string) {
    this.main = main;
    this.all = all;
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
   * Returns the distribution for a host. The most specific alias wins. A wildcard matches one label, as in the certificate
   * that the alias needs.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/CNAMEs.html
   */
  forHost(host: string): Distribution {
    const name = withoutPort(host).toLowerCase();
    const named = (alias: string) => this.all.find(({ aliases }) => aliases.includes(alias));
    return named(name) ?? named(name.replace(/^[^.]+/, '*')) ?? this.main;
  }
}

/** Reads the template's distributions. The main distribution is the one without wildcard alias. */
export function readDistributions(
  stack: Stack,
  services: Services,
  settings: DistributionSettings,
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
      (properties) =>
        readBehavior(properties, config, policies, functions, (origin) => origins.find(origin, arn)),
    );
    // One that the template does not have, such as an operator's, is not known here.
    const webAcl = webAcls.get(config.WebACLId ?? '');
    const domainName = resource.attribute('DomainName');
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
  return new Distributions(main, all, accountId);
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
