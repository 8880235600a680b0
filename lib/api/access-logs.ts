import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * A line per request in JSON. `requestId` is that of the lines of functions and of `X-Request-Id`. Neither paths, which have the ids of
 * anonymous generations, nor queries are logged; the address would be CloudFront's.
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

/** Returns the options of an API whose stage logs requests, with the role of the account that this needs, or of one that does not. */
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
