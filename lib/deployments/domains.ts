import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Aws, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { CustomDomains } from '../front-door/domains.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import { executionLogs, RETRY_FOR_AN_HOUR } from '../platform/executions.ts';

/**
 * Sets up the custom domains of deployments and removes them, in the background: one execution for each request, which ends when the
 * domain serves the pages, failed, or is gone. It looks for DNS records for three days at most, in about a thousand steps; an execution
 * may have 25,000 events.
 */
export class Domains extends Construct {
  readonly fn: BundledFunction;
  readonly #stateMachine: StateMachine;
  readonly #target: string;

  constructor(scope: Construct, id: string, { distribution, ...group }: CustomDomains) {
    super(scope, id);
    this.#target = group.routingEndpoint;
    this.fn = new BundledFunction(this, 'Settle', {
      entry: 'deployments/domains/settle.handler',
      description: 'Sets up custom domains',
      timeout: Duration.seconds(30),
    });
    this.fn.addEnvironment(ENV.tenantsDistribution, distribution.distributionId);
    this.fn.addEnvironment(ENV.connectionGroup, group.connectionGroupId);
    this.fn.addEnvironment(ENV.stackName, Stack.of(this).stackName);
    for (const statement of tenantStatements(Stack.of(this).stackName)) this.fn.addToRolePolicy(statement);
    this.#stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: this.#definition(),
      logs: executionLogs(this),
    });
  }

  /** Lets a function start to set up or to remove domains. */
  grantStart(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.domainsArn, this.#stateMachine.stateMachineArn);
    fn.addEnvironment(ENV.domainTarget, this.#target);
    this.#stateMachine.grantStartExecution(fn);
  }

  #definition(): DefinitionBody {
    const step = new LambdaInvoke(this, 'Step', {
      lambdaFunction: this.fn,
      payload: TaskInput.fromJsonPathAt('$'),
      outputPath: '$.Payload',
      retryOnServiceExceptions: false,
    }).addRetry(RETRY_FOR_AN_HOUR);
    const pause = new Wait(this, 'Pause', { time: WaitTime.secondsPath('$.waitSeconds') });
    const next = new Choice(this, 'IsSettled')
      .when(Condition.booleanEquals('$.done', true), new Succeed(this, 'Settled'))
      .otherwise(pause.next(step));
    return DefinitionBody.fromChainable(step.next(next));
  }
}

/** The ARNs of all tenants: their ids are not known before. */
export function tenantsArn(): string {
  return `arn:${Aws.PARTITION}:cloudfront::${Aws.ACCOUNT_ID}:distribution-tenant/*`;
}

/**
 * What the function needs. AWS offers no resource for `CreateDistributionTenant` and `acm:RequestCertificate`. Tenants that do not exist
 * have no tags, so that reads are not limited by them.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudfront.html
 */
function tenantStatements(stackName: string): PolicyStatement[] {
  const ofStack = { StringEquals: { 'aws:ResourceTag/stack': stackName } };
  const requestTag = { StringEquals: { 'aws:RequestTag/stack': stackName } };
  // CloudFront is not among the services that AWS documents to set `aws:CalledVia`.
  const calledByService = { Bool: { 'aws:ViaAWSService': 'true' } };
  const statement = (actions: string[], resource: string, conditions = {}) =>
    new PolicyStatement({ actions, resources: [resource], conditions });
  return [
    statement(['cloudfront:CreateDistributionTenant'], '*', requestTag),
    statement(['cloudfront:TagResource'], tenantsArn(), requestTag),
    statement(['cloudfront:UpdateDistributionTenant', 'cloudfront:DeleteDistributionTenant'], tenantsArn(), ofStack),
    statement(
      [
        'cloudfront:GetDistributionTenant',
        'cloudfront:GetManagedCertificateDetails',
        'cloudfront:VerifyDnsConfiguration',
      ],
      tenantsArn(),
    ),
    // On behalf of the function, CloudFront requests the certificate, and reads it. Its certificates are in us-east-1.
    statement(['acm:RequestCertificate'], '*', calledByService),
    statement(['acm:DescribeCertificate'], `arn:${Aws.PARTITION}:acm:us-east-1:${Aws.ACCOUNT_ID}:certificate/*`),
  ];
}
