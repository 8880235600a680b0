import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * One JSON line per request. `requestId` matches the lines of functions and `X-Request-Id`. Paths, which contain the ids of anonymous
 * generations, and queries are not logged, nor is the address, which would be CloudFront's.
 */
const LINE = {
  requestId: '$context.extendedRequestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  ms: '$context.responseLatency',
  bytes: '$context.responseLength',
  integrationStatus: '$context.integration.status',
  integrationMs: '$context.integration.latency',
  errorType: '$context.error.responseType',
};

/** Returns the logging options of an API: with `enabled`, its stage logs requests, which needs a role of the whole account. */
export function accessLogs(
  scope: Construct,
  enabled: boolean,
): { readonly cloudWatchRole: boolean; readonly deployOptions?: StageOptions } {
  if (!enabled) return { cloudWatchRole: false };
  const logGroup = new LogGroup(scope, 'AccessLogs', { removalPolicy: RemovalPolicy.DESTROY });
  return {
    cloudWatchRole: true,
    deployOptions: {
      accessLogDestination: new LogGroupLogDestination(logGroup),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(LINE)),
    },
  };
}
