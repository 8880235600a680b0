import type { MetricName } from './metrics.ts';

/** Returns a metric of a function. @param arn of the function, or of an alias of it */
export function functionMetric(name: string, arn: string): MetricName {
  const FunctionName = arn.split(':')[6] ?? arn;
  return { namespace: 'AWS/Lambda', name, dimensions: { FunctionName } };
}
