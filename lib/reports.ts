import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../lambda/platform/env.ts';
import type { Access } from './access.ts';
import type { StageConfig } from './config.ts';
import type { Deployments } from './deployments/deployments.ts';
import { tenantsArn } from './deployments/domains.ts';
import type { FrontDoor } from './front-door/front-door.ts';
import { BundledFunction } from './platform/bundled-function.ts';

/** Takes reports of deployed pages. A function of its own, so that a flood of reports takes nothing from deploys. */
export class Reports extends Construct {
  readonly api: BundledFunction;

  constructor(
    scope: Construct,
    id: string,
    access: Access,
    deployments: Deployments,
    { abuse }: Pick<StageConfig, 'abuse'>,
  ) {
    super(scope, id);
    this.api = new BundledFunction(this, 'Api', {
      entry: 'reports/api.handler',
      description: 'Takes reports of deployed pages',
      timeout: Duration.seconds(15),
    });
    access.grantApi(this.api);
    deployments.grantReport(this.api);
    if (abuse !== undefined) this.api.addEnvironment(ENV.abuse, abuse);
  }

  /** Lets the function map URLs of pages to deployments. */
  publishThrough({ siteOrigin, customDomains }: Pick<FrontDoor, 'siteOrigin' | 'customDomains'>): void {
    if (siteOrigin !== undefined) this.api.addEnvironment(ENV.siteOrigin, siteOrigin);
    if (!customDomains) return;
    this.api.addEnvironment(ENV.tenantsDistribution, customDomains.distribution.distributionId);
    this.api.addToRolePolicy(
      new PolicyStatement({ actions: ['cloudfront:GetDistributionTenant'], resources: [tenantsArn()] }),
    );
  }
}
