import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { EnvName } from '../../lambda/platform/env.ts';

interface FetchedSecretProps {
  readonly description: string;
  /** The key of the generated value in a secret that is JSON. By default, the secret is the value. */
  readonly key?: string;
  /** By default, the secret is deleted with the stack. */
  readonly removalPolicy?: RemovalPolicy;
}

/** A random secret that functions fetch when they first need it, with `fetchedSecret`: it is in no environment. */
export class FetchedSecret extends Secret {
  constructor(scope: Construct, id: string, { description, key, removalPolicy }: FetchedSecretProps) {
    const random = { passwordLength: 48, excludePunctuation: true };
    super(scope, id, {
      description,
      removalPolicy: removalPolicy ?? RemovalPolicy.DESTROY,
      generateSecretString:
        key === undefined ? random : { ...random, secretStringTemplate: '{}', generateStringKey: key },
    });
  }

  /** Lets a function read the secret, whose ARN is in the variable. */
  grantFetch(fn: LambdaFunction, variable: EnvName): void {
    fn.addEnvironment(variable, this.secretArn);
    fn.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secretArn] }),
    );
  }
}
