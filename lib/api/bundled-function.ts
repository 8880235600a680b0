import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  LogLevel,
  NodejsFunction,
  type NodejsFunctionProps,
  OutputFormat,
} from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface BundledFunctionProps {
  /** Under `lambda/`, without `.ts`. */
  readonly entry: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly memorySize: number;
  /** A folder whose files the bundle reads, copied beside it under the same name. */
  readonly files?: { readonly from: string; readonly as: string };
}

/** A function of ours: one ESM bundle with all it needs, on Node.js 24 and arm64, with a log group that forgets. */
export class BundledFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, { entry, files, ...props }: BundledFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Of its own rather than AWS's managed policy, which writes to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      ...props,
      entry: `lambda/${entry}.ts`,
      handler: 'handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      depsLockFilePath: 'package-lock.json',
      // A cold start resolves nothing: connections are reused by default, and the region comes from Lambda.
      awsSdkConnectionReuse: false,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      bundling: bundling(files),
    });
  }
}

/** Measured: `module` first and the SDK bundled make the smallest and fastest start. */
function bundling(files: BundledFunctionProps['files']): NonNullable<NodejsFunctionProps['bundling']> {
  const copy = (inputDir: string, outputDir: string) =>
    files ? [`cp -R "${inputDir}/${files.from}" "${outputDir}/${files.as}"`] : [];
  return {
    format: OutputFormat.ESM,
    target: 'node24',
    minify: true,
    mainFields: ['module', 'main'],
    bundleAwsSDK: true,
    logLevel: LogLevel.WARNING,
    // Some CommonJS dependencies call require at run time, which a module does not have.
    banner: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    commandHooks: {
      beforeInstall: () => [],
      beforeBundling: () => [],
      afterBundling: copy,
    },
  };
}
