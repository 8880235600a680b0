import * as z from 'zod';
import type { PolicyStatement, Principal } from './account.ts';
import { PolicyDocument } from './iam.ts';
import type { Secrets } from './secrets-manager.ts';
import type { Stack } from './template/stack.ts';
import { noLocalEffect, stableId } from './template/template.ts';

/** A principal and its access key id. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly principal: Principal;
}

const RoleProperties = z.strictObject({
  AssumeRolePolicyDocument: z.looseObject({
    Statement: z.array(
      z.looseObject({
        Principal: z.strictObject({ Service: z.string() }),
        Action: z.literal('sts:AssumeRole'),
      }),
    ),
  }),
  RoleName: z.string().optional(),
  Description: z.string().optional(),
  Tags: noLocalEffect,
  ManagedPolicyArns: z.array(z.string()).default([]),
  Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument })).default([]),
});

const PolicyProperties = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument,
  Roles: z.array(z.string()),
});

/** The AWS managed policies that roles of the template use. */
const MANAGED_POLICIES: Readonly<Record<string, PolicyStatement>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': {
    Effect: 'Allow',
    Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
    Resource: ['*'],
  },
  // Used by CodeDeploy, which the local cloud lacks: functions switch to a new version at once.
  'arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited': {
    Effect: 'Allow',
    Action: ['cloudwatch:DescribeAlarms', 'lambda:GetAlias', 'lambda:UpdateAlias'],
    Resource: ['*'],
  },
  // Used by API Gateway's account-wide role, which the local cloud never assumes.
  'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs': {
    Effect: 'Allow',
    Action: ['logs:*'],
    Resource: ['*'],
  },
};

/**
 * The principals of the account: the template's roles, the operator, and the services that sign requests.
 * @param nameOfRole returns the name of the function that has a role
 */
export class Principals {
  readonly operator: Credentials;
  private readonly byArn = new Map<string, Credentials>();
  private readonly secrets: Secrets;

  constructor(stack: Stack, secrets: Secrets, nameOfRole: (roleArn: string) => string | undefined) {
    this.secrets = secrets;
    const attached = stack.all('AWS::IAM::Policy', PolicyProperties);
    for (const role of stack.all('AWS::IAM::Role', RoleProperties)) {
      const { Policies, ManagedPolicyArns } = role.properties;
      const statements = [
        ...Policies.flatMap((policy) => policy.PolicyDocument),
        ...attached
          .filter((policy) => policy.properties.Roles.includes(role.ref))
          .flatMap((policy) => policy.properties.PolicyDocument),
        ...ManagedPolicyArns.map((arn) => managedPolicy(arn, role.logicalId)),
      ];
      const arn = role.attribute('Arn');
      this.add(nameOfRole(arn) ?? role.logicalId, arn, statements);
    }
    for (const service of ['cloudfront.amazonaws.com', 'apigateway.amazonaws.com', 'events.amazonaws.com'])
      this.add(service, service, []);
    this.operator = this.add('operator', `arn:aws:iam::${stack.target.accountId}:user/operator`, [
      { Effect: 'Allow', Action: ['*'], Resource: ['*'] },
    ]);
  }

  /** Returns the principal with the ARN of a role or the name of a service. */
  get(arn: string): Credentials {
    const credentials = this.byArn.get(arn);
    if (credentials === undefined) throw new Error(`${arn} is not a role of the template`);
    return credentials;
  }

  all(): Principal[] {
    return [...this.byArn.values()].map(({ principal }) => principal);
  }

  /** Returns the principals in the form of `Account.principals`. */
  byAccessKeyId(): Record<string, Principal> {
    return Object.fromEntries([...this.byArn.values()].map((one) => [one.accessKeyId, one.principal]));
  }

  private add(name: string, arn: string, statements: readonly PolicyStatement[]): Credentials {
    const secretAccessKey = this.secrets.derive(`access key of ${arn}`, 40, ALPHANUMERIC);
    const principal: Principal = { name, arn, secretAccessKey, statements };
    const credentials = { accessKeyId: `AKIA${stableId(arn, 16).toUpperCase()}`, principal };
    this.byArn.set(arn, credentials);
    return credentials;
  }
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function managedPolicy(arn: string, logicalId: string): PolicyStatement {
  const statement = MANAGED_POLICIES[arn];
  if (statement === undefined) throw new Error(`The managed policy ${arn} of ${logicalId} is not supported`);
  return statement;
}
