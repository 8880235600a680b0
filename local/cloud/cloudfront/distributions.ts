import type { Resource, Stack } from '../template/stack.ts';
import { readBehavior } from './behavior.ts';
import { Distribution } from './distribution.ts';
import { CloudFrontFunction } from './function.ts';
import { withoutPort } from './host.ts';
import { Origins, type Services } from './origins.ts';
import { Policies } from './policies.ts';
import { DistributionProperties, FunctionProperties } from './properties.ts';

/** All distributions of the template. */
export class Distributions {
  private readonly main: Distribution;
  private readonly all: readonly Distribution[];
  private readonly accountId: string;

  /** @param main whose domain name is the front door's own */
  constructor(main: Distribution, all: readonly Distribution[], accountId: string) {
    this.main = main;
    this.all = all;
    this.accountId = accountId;
  }

  find(id: string): Distribution | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** Of a distribution, whether there is one with this id or not. */
  arn(id: string): string {
    return distributionArn(this.accountId, id);
  }

  /**
   * Who answers a viewer. Of aliases that match, CloudFront takes the more specific one; a wildcard stands for one label
   * here, as it does in the certificate that the alias needs.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/CNAMEs.html
   */
  forHost(host: string): Distribution {
    const name = withoutPort(host).toLowerCase();
    const named = (alias: string) => this.all.find(({ aliases }) => aliases.includes(alias));
    return named(name) ?? named(name.replace(/^[^.]+/, '*')) ?? this.main;
  }
}

/** Reads the template's distributions, of which one, the main one, has no wildcard alias. */
export function readDistributions(
  stack: Stack,
  services: Services,
  log: (line: string) => void,
): Distributions {
  const { accountId, frontDoor } = stack.target;
  const policies = new Policies(stack);
  const origins = new Origins(stack, services);
  const functions = readFunctions(stack, log);
  const read = (resource: Resource<DistributionProperties>) => {
    const config = resource.properties.DistributionConfig;
    const arn = distributionArn(accountId, resource.ref);
    const behaviors = [...config.CacheBehaviors, { ...config.DefaultCacheBehavior, PathPattern: '*' }].map(
      (properties) =>
        readBehavior(properties, config, policies, functions, (origin) => origins.find(origin, arn)),
    );
    return new Distribution(resource.ref, resource.attribute('DomainName'), config, behaviors, log);
  };
  const all = stack.all('AWS::CloudFront::Distribution', DistributionProperties).map(read);
  const mains = all.filter(({ domainName }) => domainName === frontDoor);
  const [main] = mains;
  if (main === undefined || mains.length > 1) {
    throw new Error(
      `The local cloud needs exactly one AWS::CloudFront::Distribution without a wildcard in its Aliases, which the front door stands for; the template has ${mains.length}.`,
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
