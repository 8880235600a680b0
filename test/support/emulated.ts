import type { FunctionDefinition } from '../../local/cloud/lambda/lambda.ts';
import { Principals } from '../../local/cloud/roles.ts';
import { Secrets } from '../../local/cloud/secrets-manager.ts';
import { Stack, type Target } from '../../local/cloud/template/stack.ts';
import type { Template, TemplateResource } from '../../local/cloud/template/template.ts';

export const ref = (name: string) => ({ Ref: name });
export const att = (name: string, attribute: string) => ({ 'Fn::GetAtt': [name, attribute] });
export const sub = (text: string) => ({ 'Fn::Sub': text });

export function resource(Type: string, Properties: Record<string, unknown> = {}): TemplateResource {
  return { Type, Properties };
}

/** Returns a policy document; its statements allow unless they say otherwise. */
export function policyOf(...statements: object[]) {
  return { Version: '2012-10-17', Statement: statements.map((one) => ({ Effect: 'Allow', ...one })) };
}

/** Returns a role that a service assumes. */
export function roleFor(Service: string, ...statements: object[]): TemplateResource {
  return resource('AWS::IAM::Role', {
    AssumeRolePolicyDocument: policyOf({ Action: 'sts:AssumeRole', Principal: { Service } }),
    Policies: [{ PolicyName: 'p', PolicyDocument: policyOf(...statements) }],
  });
}

/** Returns a function whose code is the folder `asset.<asset>` of the assembly, with the role `Role`. */
export function functionOf(asset: string, more: Record<string, unknown> = {}): TemplateResource {
  return resource('AWS::Lambda::Function', {
    Code: { S3Bucket: 'assets', S3Key: `${asset}.zip` },
    Handler: 'index.handler',
    Role: att('Role', 'Arn'),
    Runtime: 'nodejs24.x',
    ...more,
  });
}

/** Returns the stack of a template in an account. */
export function stackOf(
  template: Partial<Template>,
  { stackName = 'Demo', directory = '/nowhere', ...target }: Partial<Target & Stack['assembly']> = {},
): Stack {
  return new Stack(
    { stackName, directory, template: { Resources: {}, ...template } },
    {
      accountId: '000000000000',
      region: 'us-east-1',
      frontDoor: 'localhost:1',
      secretValue: () => '',
      ...target,
    },
  );
}

export function principalsOf(stack: Stack, stateDir: string): Principals {
  return new Principals(stack, new Secrets(stateDir), () => undefined);
}

/** Returns a function of `index.handler` that anything with permission may invoke. */
export function definitionOf(codeDir: string, arn: string, more: Partial<FunctionDefinition> = {}): FunctionDefinition {
  return {
    name: 'F',
    arn,
    roleArn: 'r',
    runtime: 'nodejs24.x',
    codeDir,
    handler: 'index.handler',
    timeoutSeconds: 60,
    memoryMb: 64,
    environment: {},
    policy: [],
    ...more,
  };
}
