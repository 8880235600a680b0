import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Settings of AWS clients: three attempts that together end well within 10 s, before callers give up waiting for the
 * error.
 */
export const CLIENT = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** Settings for the calls that every request waits for: two attempts that together end within 3 s. */
export const QUICK = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_300, throwOnRequestTimeout: true },
} as const;

/**
 * Settings for the reads of a visit: two attempts that together end within a second. CloudFront serves the page that it has
 * after a 5xx, but not after the 429 of a function whose concurrency is filled by visits that wait.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
export const VISIT = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 450, requestTimeout: 450, throwOnRequestTimeout: true },
} as const;

/** Returns a client that takes plain JavaScript values and omits undefined fields from items. */
export function documentClient(
  settings: typeof CLIENT | typeof QUICK | typeof VISIT = CLIENT,
): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings), {
    marshallOptions: { removeUndefinedValues: true },
  });
}
