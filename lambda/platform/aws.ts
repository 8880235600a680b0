import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Settings of every AWS client: three attempts that together end well within 10 s, so that a caller is told
 * of an outage while there is still somebody to tell.
 */
export const CLIENT = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** Of what stands before every request: two attempts that together end within 3 s. */
export const QUICK = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_300, throwOnRequestTimeout: true },
} as const;

/** DynamoDB with plain JavaScript values; an absent optional field is left out of the item. */
export function documentClient(settings: typeof CLIENT | typeof QUICK = CLIENT): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings), {
    marshallOptions: { removeUndefinedValues: true },
  });
}
