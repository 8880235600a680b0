import * as z from 'zod';
import type { Stack } from '../template/stack.ts';

const EventInvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST'),
  MaximumRetryAttempts: z.int().min(0).max(2).optional(),
  MaximumEventAgeInSeconds: z.int().min(60).max(21_600).optional(),
});

/** How Lambda handles the events of a function that it invokes asynchronously. Undefined properties have Lambda's defaults. */
export interface InvokeConfig {
  readonly retries?: number | undefined;
  /** How long an event may wait before it is discarded. */
  readonly ageSeconds?: number | undefined;
}

/**
 * Returns the configurations of the template by the names of functions.
 * https://docs.aws.amazon.com/lambda/latest/api/API_FunctionEventInvokeConfig.html
 */
export function readInvokeConfigs(stack: Stack): Map<string, InvokeConfig> {
  const configs = stack.all('AWS::Lambda::EventInvokeConfig', EventInvokeConfigProperties);
  return new Map(
    configs.map(({ properties }) => [
      properties.FunctionName,
      { retries: properties.MaximumRetryAttempts, ageSeconds: properties.MaximumEventAgeInSeconds },
    ]),
  );
}
