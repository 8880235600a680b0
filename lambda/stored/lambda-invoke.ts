import { InvokeCommand, type InvokeCommandInput, type InvokeCommandOutput, LambdaClient } from '@aws-sdk/client-lambda';

/** Invokes a function, once: a second attempt would not end in time. */
export type Invoke = (input: InvokeCommandInput) => Promise<InvokeCommandOutput>;

/** Returns what invokes functions that respond within a time in milliseconds. */
export function invokeWithin(requestTimeout: number): Invoke {
  const lambda = new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true },
  });
  return (input) => lambda.send(new InvokeCommand(input));
}
