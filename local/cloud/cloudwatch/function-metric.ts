import type { MetricName } from './metrics.ts';

/** Returns a metric of a function. @param arn of the function, or of one of its aliases */
export function functionMetric(name: string, arn: string): MetricName {
  const FunctionName = arn.split(':')[6] ?? arn;
  return { namespace: 'AWS/Lambda', name, dimensions: { FunctionName } };
}

/**
 * Returns a metric of a function, and the same metric of its version if an alias was invoked.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 * @param version the version that every alias points to
 */
export function versionMetrics(name: string, arn: string, version: string): MetricName[] {
  const ofFunction = functionMetric(name, arn);
  const { FunctionName = '' } = ofFunction.dimensions;
  const qualifier = arn.split(':')[7];
  if (qualifier === undefined) return [ofFunction];
  const dimensions = { FunctionName, Resource: `${FunctionName}:${qualifier}`, ExecutedVersion: version };
  return [ofFunction, { ...ofFunction, dimensions }];
}
