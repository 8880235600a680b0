import { createHash } from 'node:crypto';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  type SystemLogLevel,
  type TenancyConfig,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import { type BundleContents, bundle, generatedAsset } from './bundle.ts';

interface BundledFunctionProps extends BundleContents {
  /** Path of the handler's module under `lambda/`, without `.ts`. */
  readonly entry: string;
  readonly description: string;
  readonly timeout: Duration;
  /** In MB; the processor time is proportional. By default 512. */
  readonly memorySize?: number;
  /** By default INFO, with which Lambda writes the lines START and REPORT for every invocation. */
  readonly systemLogLevelV2?: SystemLogLevel;
  /** The most invocations at a time, which no other function can take. By default, it shares what the account has left. */
  readonly concurrency?: number | undefined;
  /** How often Lambda retries a failed asynchronous invocation, and how long its event may wait; by default twice, and 6 hours. */
  readonly retryAttempts?: number;
  readonly maxEventAge?: Duration;
  /** Whether only state machines invoke it, which wait and try again while it is throttled: nobody gets an error. */
  readonly isPatient?: boolean;
  /** By default arm64. */
  readonly architecture?: Architecture;
  /** Whether each instance serves one tenant only. By default, instances serve any caller. */
  readonly tenancyConfig?: TenancyConfig;
}

/** A Lambda function from an ESM bundle, on Node.js 24, with a log group. */
export class BundledFunction extends LambdaFunction {
  readonly isPatient: boolean;

  constructor(scope: Construct, id: string, { entry, concurrency, isPatient = false, ...props }: BundledFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, { removalPolicy: RemovalPolicy.DESTROY });
    // AWS's managed policy would allow writing to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const handler = `lambda/${entry}.ts`;
    super(scope, id, {
      // Less is too slow for a cold start within the timeouts of calls (decision 0024).
      memorySize: 512,
      architecture: Architecture.ARM_64,
      ...props,
      ...(concurrency === undefined ? {} : { reservedConcurrentExecutions: concurrency }),
      code: Code.fromAsset(
        'lambda',
        generatedAsset(handler, (outdir) => bundle(handler, props, outdir)),
      ),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      // Old versions allow an instant rollback and finish their requests. Only the version of a failed deployment is deleted.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    this.isPatient = isPatient;
  }

  /** Excludes versions and aliases, which the CDK would add as `:*`: their callers get a separate grant. */
  override get resourceArnsForGrantInvoke(): string[] {
    return [this.functionArn];
  }

  /** Returns a hash of the code and of these values, for what depends on both. */
  codeHash(...values: unknown[]): string {
    const { s3Key } = (this.node.defaultChild as CfnFunction).code as CfnFunction.CodeProperty;
    return createHash('sha256')
      .update(JSON.stringify([s3Key, ...values]))
      .digest('hex');
  }

  /** Lets the function write metrics of the stage to its log. */
  emitMetrics(): void {
    this.addEnvironment(ENV.metricsNamespace, Stack.of(this).stackName);
  }
}
