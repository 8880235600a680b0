import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PatientHandler } from './patient-handler.ts';

/** Returns the settings of a client. Each client gets a handler, and with it connections, of its own. */
const attempts = (maxAttempts: number, milliseconds: number) => ({
  maxAttempts,
  get requestHandler() {
    return new PatientHandler(milliseconds);
  },
});

/**
 * Settings of AWS clients: three attempts that together end well within 10 s, before callers give up waiting for the
 * error.
 */
export const CLIENT = attempts(3, 3_000);

/**
 * Settings for changes of CloudFront's resources, which can take seconds: a second attempt of one that succeeded would fail, because
 * what it creates exists.
 */
export const CONTROL = attempts(2, 10_000);

/** Settings for the calls that every request waits for: two attempts that together end within 3 s. */
export const QUICK = attempts(2, 1_300);

/**
 * Settings for the reads of a visit: two attempts that together end within a second. CloudFront serves the page that it has
 * after a 5xx, but not after the 429 of a function whose concurrency is filled by visits that wait.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
export const VISIT = attempts(2, 450);

/** Returns a client that takes plain JavaScript values and omits undefined fields from items. */
export function documentClient(settings: typeof CLIENT = CLIENT): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings), {
    marshallOptions: { removeUndefinedValues: true },
  });
}
